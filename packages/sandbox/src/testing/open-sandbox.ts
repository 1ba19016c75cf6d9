import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runInSandbox, type SandboxOrder } from '#run-in-sandbox.ts'
import { removeFolder } from '#work-folders.ts'

const workFolder = async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'docket-sandbox-'))
  const checkout = join(scratch, 'tree')
  await mkdir(checkout)
  return { scratch, checkout }
}

/** Reason why this machine cannot make a sandbox, or null. */
export const whyNoSandbox = async (): Promise<string | null> => {
  const folders = await workFolder()
  const order = { ...folders, words: ['/bin/true'], hidden: [], input: '' } as const
  try {
    await runInSandbox(order, new AbortController().signal)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await removeFolder(folders.scratch)
  }
}

/** A sandbox with folders of its own, which are removed with the test. */
export const openSandbox = async () => {
  const { scratch, checkout } = await workFolder()
  // No time limit, because the machine may be slow; the program ends with its test.
  const over = new AbortController()
  onTestFinished(() => {
    over.abort()
    return removeFolder(scratch)
  })
  const run = (
    order: Partial<SandboxOrder>,
    options: Parameters<typeof runInSandbox>[2] & { signal?: AbortSignal } = {},
  ) =>
    runInSandbox(
      { words: ['/bin/true'], hidden: [], input: '', scratch, checkout, ...order },
      options.signal ?? over.signal,
      options,
    )
  type Options = Parameters<typeof run>[1] & Pick<SandboxOrder, 'network' | 'onOutput'>
  /** Output of a shell script. */
  const shell = async (script: string, { network, onOutput, ...options }: Options = {}) => {
    const order = { ...(network && { network }), ...(onOutput && { onOutput }), input: 'the prompt\n' }
    return (await run({ ...order, words: ['/bin/bash', '-c', script] }, options)).lines
  }
  /** Output of a JavaScript program, run by this Node. */
  const node = async (script: string, { network, onOutput, ...options }: Options = {}) => {
    const order = { ...(network && { network }), ...(onOutput && { onOutput }) }
    return (await run({ ...order, words: [process.execPath, '-e', script] }, options)).lines
  }
  return { scratch, checkout, run, shell, node }
}

/** Ids of processes whose command line contains `marker`. */
export const processesWith = (marker: string): string[] =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker)
    } catch {
      return false
    }
  })
