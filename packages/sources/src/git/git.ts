import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { listGitVariables } from '@docket/outbound/proxy'

export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>

export type GitPerson = { name: string; email: string }

/** Default author of commits. */
export const docsAgent: GitPerson = { name: 'Docs agent', email: 'docs-agent@localhost' }

export type GitOptions = {
  workTree?: string
  index?: string
  input?: string | Buffer
  /** Encoding of the output; UTF-8 when absent. `latin1` keeps every byte. */
  encoding?: 'utf8' | 'latin1'
  /** Ends the command without an error after this much output. Bytes. */
  atMostBytes?: number
  /** Exit code that counts as success, in addition to 0. */
  goodExit?: number
  /** Address of the repository that `ls-remote`, `fetch` or `push` reaches. Git may use only its protocol, and no protocol without it. */
  remote?: string
  /** Additional settings (`name=value`) that override the isolation. They are visible in the process list. */
  config?: readonly string[]
  /** Input for `credentialHelper`, in git's credential protocol. Never passed as an argument, a variable or a file. */
  credential?: string
  /** Author and committer of a new commit; the docs agent when absent. */
  people?: { author: GitPerson; committer: GitPerson }
  /** Time limit; a minute when absent. Milliseconds. */
  timeLimitMs?: number
  signal?: AbortSignal
}

/** Value of a setting that makes git read `GitOptions.credential` from a pipe that only git and its helpers can access. */
export const credentialHelper = '!f() { test "$1" = get && cat <&3; }; f'

const outputLimitBytes = 32 * 1024 * 1024

/**
 * Runs git on `gitDir`, isolated: no system or user configuration, no program that the configuration of a repository names, no prompt, no
 * protocol but that of `remote`, and no environment but the PATH and the proxy. Rejects with git's last line.
 */
export const gitIn =
  (gitDir: string): Git =>
  (args, options = {}) =>
    new Promise((resolve, reject) => {
      const cwd = options.workTree ?? gitDir
      const { config = [], credential, timeLimitMs = 60_000, signal, remote } = options
      signal?.throwIfAborted()
      const { settings, env } = isolate(gitDir, options)
      const [verb = '', ...rest] = args
      const far = remote?.startsWith('file:') ? isolateFarSide(verb, fileURLToPath(remote)) : []
      const child = spawn(
        'git',
        [...settings, ...config.flatMap((setting) => ['-c', setting]), verb, ...far, ...rest],
        {
          cwd,
          env,
          stdio: ['pipe', 'pipe', 'pipe', credential === undefined ? 'ignore' : 'pipe'],
          // A process group of its own, so that git's network helpers end with it.
          detached: true,
        },
      )
      let stopped: string | null = null
      const stop = (why: string) => {
        stopped ??= why
        // Helpers of git may outlive git itself.
        endGroup(child.pid)
      }
      const limitTimer = setTimeout(() => stop(`it took more than ${timeLimitMs / 1000} s`), timeLimitMs)
      const onAbort = () => stop('it was stopped')
      signal?.addEventListener('abort', onAbort, { once: true })
      const output: Buffer[] = []
      let bytes = 0
      const limit = options.atMostBytes ?? outputLimitBytes
      let complaint = ''
      child.stdout!.on('data', (chunk: Buffer) => {
        const left = limit - bytes
        bytes += chunk.length
        output.push(chunk.subarray(0, Math.max(0, left)))
        if (bytes > limit) stop('it said too much')
      })
      child.stderr!.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
      // Arrives before `close`, which also follows when the program did not start.
      child.on('error', (error) => reject(new Error(describeStartError(error, cwd))))
      child.on('close', (code) => {
        clearTimeout(limitTimer)
        signal?.removeEventListener('abort', onAbort)
        const enough = options.atMostBytes !== undefined && bytes > limit
        if (code === 0 || code === options.goodExit || enough) resolve(Buffer.concat(output).toString(options.encoding))
        else reject(new Error(`git ${verb} failed: ${(stopped ?? complaint.trim()) || 'it was ended'}`))
      })
      // A command may exit before it reads its input; its exit code decides.
      for (const pipe of [child.stdin!, child.stdio[3] as Writable | null]) pipe?.on('error', () => {})
      child.stdin!.end(options.input ?? '')
      ;(child.stdio[3] as Writable | null)?.end(credential)
    })

/**
 * Overrides everything that a repository's own configuration can make git run: programs, hooks, maintenance, and checkouts with filters. Git itself
 * ignores a repository's `uploadpack.packObjectsHook`, and `GIT_NO_LAZY_FETCH` keeps it from fetching from a promisor remote.
 */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'receive.autogc=false',
  'receive.denyCurrentBranch=refuse',
  // Its `skipList` can read any file, and errors quote the content.
  'receive.fsckObjects=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting])

/**
 * Starts the remote end in a repository on this machine with the same isolation: it would ignore our settings. Its files get the modes
 * of the repository, not the private modes of our own process.
 */
const isolateFarSide = (verb: string, repository: string) => {
  const program = verb === 'push' ? 'receive-pack' : 'upload-pack'
  const mode = statSync(repository, { throwIfNoEntry: false })?.mode ?? 0o700
  const umask = (~mode & 0o077).toString(8).padStart(3, '0')
  return [`--${program}=umask ${umask} && GIT_ALLOW_PROTOCOL= git ${settings.join(' ')} ${program}`]
}

/** Kills a process and all that it started, if `detached` gave it a group of its own. */
export const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}

/** Hash of the object that a name means. Null when there is none. */
export const readRef = async (git: Git, name: string): Promise<string | null> =>
  (await git(['rev-parse', '--verify', '--quiet', name], { goodExit: 1 })).trim() || null

/** The system reports the same error for a missing program and a missing working folder. */
const describeStartError = (error: NodeJS.ErrnoException, cwd: string) => {
  if (error.code !== 'ENOENT') return `git cannot be run on this machine: ${error.message}`
  if (!existsSync(cwd)) return `The folder ${cwd} is missing.`
  return 'git is not installed on this machine, or not on the PATH. Agent jobs and their repositories need it.'
}

/** Arguments and environment that limit git to `gitDir` and its files. */
export const isolate = (gitDir: string, options: GitOptions = {}) => ({ settings, env: toEnvironment(gitDir, options) })

const toEnvironment = (gitDir: string, { workTree, index, people, remote }: GitOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  // Overrides `protocol.*` of every configuration, even for a remote that it names.
  GIT_ALLOW_PROTOCOL: remote === undefined ? '' : new URL(remote).protocol.slice(0, -1),
  GIT_NO_LAZY_FETCH: '1',
  GIT_DIR: gitDir,
  ...(remote?.startsWith('http') && listGitVariables(new URL(remote))),
  ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  GIT_AUTHOR_NAME: (people?.author ?? docsAgent).name,
  GIT_AUTHOR_EMAIL: (people?.author ?? docsAgent).email,
  GIT_COMMITTER_NAME: (people?.committer ?? docsAgent).name,
  GIT_COMMITTER_EMAIL: (people?.committer ?? docsAgent).email,
})
