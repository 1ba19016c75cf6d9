import { spawn } from 'node:child_process'
import { Buffer } from 'node:buffer'

/** Runs one git command on one repository and resolves with its standard output as text. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>

/** Where a command works, and what it reads. */
export type GitOptions = { workTree?: string; index?: string; input?: string }

const timeLimitMs = 60_000
const outputLimitBytes = 32 * 1024 * 1024

/**
 * git on `gitDir`, cut off from everything around it: no system or user configuration, no hooks, no prompt, no network
 * protocol, and nothing of this process's environment but the PATH. Rejects with git's own last words.
 */
export const gitIn =
  (gitDir: string): Git =>
  (args, options = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(
        'git',
        ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.allow=never', ...args],
        {
          cwd: options.workTree ?? gitDir,
          env: environmentOf(gitDir, options),
          timeout: timeLimitMs,
          killSignal: 'SIGKILL',
          stdio: 'pipe',
        },
      )
      const output: Buffer[] = []
      let bytes = 0
      let complaint = ''
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > outputLimitBytes) child.kill('SIGKILL')
        else output.push(chunk)
      })
      child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
      child.on('error', (error) => reject(new Error(`git cannot be run on this machine: ${error.message}`)))
      child.on('close', (code) =>
        code === 0
          ? resolve(Buffer.concat(output).toString())
          : reject(new Error(`git ${args[0]} failed: ${complaint.trim() || 'it was stopped'}`)),
      )
      // A command that does not read its input may be gone before it is written; its exit code tells the rest.
      child.stdin.on('error', () => {})
      child.stdin.end(options.input ?? '')
    })

const environmentOf = (gitDir: string, { workTree, index }: GitOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_DIR: gitDir,
  ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  GIT_AUTHOR_NAME: 'Docs agent',
  GIT_AUTHOR_EMAIL: 'docs-agent@localhost',
  GIT_COMMITTER_NAME: 'Docs agent',
  GIT_COMMITTER_EMAIL: 'docs-agent@localhost',
})
