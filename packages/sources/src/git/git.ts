import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>

export type GitPerson = { name: string; email: string }

/** The author of commits for which nobody else is named. */
export const docsAgent: GitPerson = { name: 'Docs agent', email: 'docs-agent@localhost' }

export type GitOptions = {
  workTree?: string
  index?: string
  input?: string | Buffer
  /** Encoding of the output; UTF-8 when absent. `latin1` keeps every byte. */
  encoding?: 'utf8' | 'latin1'
  /** Ends the command after that much output, without an error. */
  atMostBytes?: number
  /** Exit code that is as good as 0. */
  goodExit?: number
  /** Address of the repository that `ls-remote`, `fetch` or `push` reaches. Git uses no other protocol, and none without it. */
  remote?: string
  /** More settings (`name=value`) that override the isolation. The process list shows them. */
  config?: readonly string[]
  /** Input for `credentialHelper`, in git's credential protocol. Never an argument, a variable or a file. */
  credential?: string
  /** People that a new commit names; the docs agent when absent. */
  people?: { author: GitPerson; committer: GitPerson }
  /** Milliseconds; a minute when absent. */
  timeLimitMs?: number
  signal?: AbortSignal
}

/** The setting's value that makes git read `GitOptions.credential`, from a pipe that only it and its helpers have. */
export const credentialHelper = '!f() { test "$1" = get && cat <&3; }; f'

const outputLimitBytes = 32 * 1024 * 1024

/**
 * Runs git on `gitDir`, isolated: no system or user configuration, no program that the configuration of a repository names, no prompt, no
 * protocol but that of `remote`, and no environment but the PATH. Rejects with git's last line.
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
          // Its own process group, so that git's network helpers end with it.
          detached: true,
        },
      )
      let stopped: string | null = null
      const stop = (why: string) => {
        stopped ??= why
        // git's helpers may outlive git itself.
        if (child.pid !== undefined) endGroup(child.pid)
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
      child.on('error', (error) => reject(new Error(whyNot(error, cwd))))
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
 * Overrides what a repository's own configuration may have git run: programs, hooks, upkeep, and a checkout with its filters. Git itself
 * ignores a repository's `uploadpack.packObjectsHook`, and `GIT_NO_LAZY_FETCH` keeps it from a repository's promisor remote.
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
  // Its `skipList` reads any file, and complains about its content.
  'receive.fsckObjects=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting])

/**
 * Starts git in a repository of this machine as isolated as here: it would drop our settings and obey its own. Its files get the modes
 * that the repository has, not those of a process that keeps everything to itself.
 */
const isolateFarSide = (verb: string, repository: string) => {
  const program = verb === 'push' ? 'receive-pack' : 'upload-pack'
  const mode = statSync(repository, { throwIfNoEntry: false })?.mode ?? 0o700
  const umask = (~mode & 0o077).toString(8).padStart(3, '0')
  return [`--${program}=umask ${umask} && GIT_ALLOW_PROTOCOL= git ${settings.join(' ')} ${program}`]
}

const endGroup = (pid: number) => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}

/** The system answers a missing program and a missing folder to run it in with the same words. */
const whyNot = (error: NodeJS.ErrnoException, cwd: string) => {
  if (error.code !== 'ENOENT') return `git cannot be run on this machine: ${error.message}`
  if (!existsSync(cwd)) return `The folder ${cwd} is missing.`
  return 'git is not installed on this machine, or not on the PATH. Agent jobs and their repositories need it.'
}

/** Arguments and environment that keep git from everything but `gitDir` and its files. */
export const isolate = (gitDir: string, options: GitOptions = {}) => ({ settings, env: toEnvironment(gitDir, options) })

const toEnvironment = (gitDir: string, { workTree, index, people, remote }: GitOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  // Overrules `protocol.*` of every configuration, also for a remote that it names.
  GIT_ALLOW_PROTOCOL: remote === undefined ? '' : new URL(remote).protocol.slice(0, -1),
  GIT_NO_LAZY_FETCH: '1',
  GIT_DIR: gitDir,
  ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  GIT_AUTHOR_NAME: (people?.author ?? docsAgent).name,
  GIT_AUTHOR_EMAIL: (people?.author ?? docsAgent).email,
  GIT_COMMITTER_NAME: (people?.committer ?? docsAgent).name,
  GIT_COMMITTER_EMAIL: (people?.committer ?? docsAgent).email,
})
