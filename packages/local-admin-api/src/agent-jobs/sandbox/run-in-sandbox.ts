import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { boundedOutput } from '#agent-jobs/sandbox/bounded-output.ts'
import { bubblewrapArguments, type SandboxOrder } from '#agent-jobs/sandbox/bubblewrap-arguments.ts'

/** How a sandboxed command ended: its exit code, and the last lines it said. */
export type SandboxEnd = { exitCode: number; lines: string[] }

/**
 * Runs a command in a sandbox of bubblewrap, with `input` on its standard input, and resolves when it and everything it started are gone.
 * It is never run otherwise: rejects with what to install or allow when a sandbox cannot be made. When `signal` aborts, all of it is
 * killed, and the promise rejects with the reason.
 */
export const runInSandbox = async (
  order: SandboxOrder & { input: string },
  signal: AbortSignal,
): Promise<SandboxEnd> => {
  const parameters = await bubblewrapArguments(order)
  signal.throwIfAborted()
  // The sandbox gets an environment of its own; this is for finding the program.
  const child = spawn('bwrap', parameters, { env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  const output = boundedOutput()
  let status = ''
  child.stdout.on('data', output.add)
  child.stderr.on('data', output.add)
  const statusPipe = child.stdio[3] as Readable
  statusPipe.on('data', (chunk: Buffer) => (status = (status + chunk.toString()).slice(0, 4000)))
  // Not everything reads its input to the end.
  child.stdin.on('error', () => {})
  child.stdin.end(order.input)
  const kill = () => {
    child.kill('SIGKILL')
    killInner(status)
  }
  signal.addEventListener('abort', kill)
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error))))
      child.on('close', () => resolve())
    })
  } finally {
    signal.removeEventListener('abort', kill)
    await gone(innerPid(status))
  }
  signal.throwIfAborted()
  const exit = /"exit-code":\s*(\d+)/.exec(status)
  if (!exit) throw new Error(`${cannot}: ${output.lines().at(-1) ?? 'bubblewrap said no reason'}. ${remedy}`)
  return { exitCode: Number(exit[1]), lines: output.lines() }
}

const cannot = 'The command of agent jobs was not run, because no sandbox can be made here'
const remedy =
  'bubblewrap 0.8 or later needs user namespaces: let this machine or container make them (kernel.unprivileged_userns_clone, user.max_user_namespaces, the seccomp or AppArmor profile).'

const whyNot = (error: NodeJS.ErrnoException) =>
  error.code === 'ENOENT'
    ? 'The command of agent jobs was not run, because it runs in a sandbox only and bubblewrap is not installed: apt-get install bubblewrap.'
    : `${cannot}: ${error.message}. ${remedy}`

/** First process inside, by its number outside. When it ends, the kernel ends everything in the sandbox. */
const innerPid = (status: string) => {
  const match = /"child-pid":\s*(\d+)/.exec(status)
  return match ? Number(match[1]) : null
}

const killInner = (status: string) => {
  const pid = innerPid(status)
  if (pid === null) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}

/** bubblewrap ends a moment before the last of its processes, which may still write. Gone, or dead and waiting to be counted. */
const gone = async (pid: number | null): Promise<void> => {
  for (let attempt = 0; pid !== null && attempt < 1000; attempt += 1) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    if (stat === null || /\) [ZX]/.test(stat)) return
    await sleep(10)
  }
}
