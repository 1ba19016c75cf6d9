import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchUsage } from '#usage/watch-usage.ts'
import { createBoundedOutput } from './bounded-output.ts'
import { descriptors } from './bubblewrap-arguments.ts'
import type { SandboxLimits } from './limits.ts'
import { cannotDrop, type SandboxUser } from './sandbox-user.ts'

export type SandboxEnd = { exitCode: number; lines: string[] }

type Bubblewrap = {
  parameters: readonly string[]
  /** Contents for the descriptors after the one that starts the command: filter, settings, then files. */
  contents: { filter: Buffer; settings: Buffer; files: readonly Buffer[] }
  input: string
  user: SandboxUser | null
  folders: readonly string[]
  limits: SandboxLimits
}

/** Resolves once all its processes have ended. On failure or abort, kills them and rejects with the reason. */
export const superviseBubblewrap = async (
  { parameters, contents, input, user, folders, limits }: Bubblewrap,
  onOutput: (chunk: Buffer, from: 'stdout' | 'stderr') => void,
  signal: AbortSignal,
): Promise<SandboxEnd> => {
  const { filter, settings, files } = contents
  const child = spawn('bwrap', parameters, {
    // The sandbox has its own environment; this one only locates bubblewrap.
    env: { PATH: process.env.PATH },
    cwd: '/',
    stdio: createPipes(descriptors.firstFile + files.length),
    ...user,
  })
  const output = createBoundedOutput()
  for (const from of ['stdout', 'stderr'] as const)
    child[from]!.on('data', (chunk: Buffer) => {
      output.add(chunk)
      onOutput(chunk, from)
    })
  sendContents(child, 0, input)
  sendContents(child, descriptors.filter, filter)
  sendContents(child, descriptors.settings, settings)
  for (const [index, content] of files.entries()) sendContents(child, descriptors.firstFile + index, content)

  const excess = new AbortController()
  const stop = AbortSignal.any([signal, excess.signal])
  let status = ''
  let endWatch = () => {}
  const kill = () => {
    const init = parseInit(status)
    // Killing bubblewrap alone would leave the first process behind.
    if (init === null) return
    killProcess(init)
    child.kill('SIGKILL')
  }
  ;(child.stdio[descriptors.status] as Readable).on('data', (chunk: Buffer) => {
    const isKnown = parseInit(status) !== null
    status = (status + chunk.toString()).slice(0, 4000)
    const init = parseInit(status)
    if (init === null || isKnown) return
    if (stop.aborted) return kill()
    endWatch = watchUsage({ init, folders, limits }, (sentence) => excess.abort(new Error(sentence)))
    void yieldToOthers(init).then(() => sendContents(child, descriptors.go, 'go'))
  })
  stop.addEventListener('abort', kill)
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error))))
      child.on('close', () => resolve())
    })
  } finally {
    endWatch()
    stop.removeEventListener('abort', kill)
    await waitUntilGone(parseInit(status))
  }
  stop.throwIfAborted()
  const exit = /"exit-code":\s*(\d+)/.exec(status)
  if (!exit) throw new Error(explainStartFailure(output.lines().at(-1) ?? 'bubblewrap gave no reason', user))
  return { exitCode: Number(exit[1]), lines: output.lines() }
}

export const cannotSandbox = 'The command was not run, because no sandbox can be made here'
const remedy =
  'bubblewrap 0.8 or later needs user namespaces: let this machine or container make them (kernel.unprivileged_userns_clone, user.max_user_namespaces, the seccomp or AppArmor profile).'

const whyNot = (error: NodeJS.ErrnoException) => {
  // The command's user may not enter every folder that is searched.
  if (error.code === 'ENOENT' || error.code === 'EACCES')
    return 'The command was not run, because it runs in a sandbox only and bubblewrap is not installed: apt-get install bubblewrap.'
  return error.code === 'EPERM' && process.getuid?.() === 0
    ? cannotDrop('setuid is not permitted')
    : `${cannotSandbox}: ${error.message}. ${remedy}`
}

const explainStartFailure = (reason: string, user: SandboxUser | null) =>
  user && /source path .*: Permission denied/.test(reason)
    ? cannotDrop('other users may not enter the temporary folder, see TMPDIR')
    : `${cannotSandbox}: ${reason}. ${remedy}`

/** Pipes for the first descriptors. An open file that this process inherited would be writable inside, so a pipe takes its place too. */
const createPipes = (count: number) => {
  const inherited = findInheritedDescriptors(count)
  return Array.from({ length: Math.max(count, ...inherited.map((last) => last + 1)) }, (_, descriptor) =>
    descriptor < count || inherited.includes(descriptor) ? ('pipe' as const) : ('ignore' as const),
  )
}

const sendContents = (child: ChildProcess, descriptor: number, content: string | Buffer) => {
  const pipe = child.stdio[descriptor] as Writable
  pipe.on('error', () => {})
  pipe.end(content)
}

/** Process id outside the sandbox of the first process inside. When it ends, the kernel ends all others. */
const parseInit = (status: string) => {
  const match = /"child-pid":\s*(\d+)/.exec(status)
  return match ? Number(match[1]) : null
}

/** Gives the sandbox low priority, and makes the kernel end it first when memory runs out. */
const yieldToOthers = async (init: number) => {
  try {
    setPriority(init, 10)
    await writeFile(`/proc/${init}/oom_score_adj`, '1000')
  } catch {
    // The process has ended, or this kernel forbids it. The other limits still apply.
  }
}

const killProcess = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}

/** Waits until a process has ended or is a zombie. bubblewrap ends slightly before its last process, which may still write. */
const waitUntilGone = async (pid: number | null): Promise<void> => {
  for (let attempt = 0; pid !== null && attempt < 1000; attempt += 1) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    if (stat === null || /\) [ZX]/.test(stat)) return
    await sleep(10)
  }
}

const closeOnExec = 0o2_000_000

/** Descriptors from `first` on that a child process would inherit, because the parent of this process left them open. */
const findInheritedDescriptors = (first: number): number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor >= first && isInherited(descriptor))

const isInherited = (descriptor: number) => {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0'
    return (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // The descriptor that listed the folder is closed again.
    return false
  }
}
