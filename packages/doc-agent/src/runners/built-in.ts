import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseSteps } from '#recipes/recipes.ts'
import type { Runner } from './runner.ts'

/** Order to the process of the built-in runner. Sent once, right after its start. */
export type RecipeOrder = { prompt: string; checkout: string; folder: string; gitDir: string; commit: string }

/** Result of the built-in runner: lines for the report, or the reason of a failure. */
export type RecipeReport = { kind: 'done'; report: string[] } | { kind: 'failed'; reason: string }

const worker = fileURLToPath(import.meta.resolve('./recipe-worker.ts'))
/** JavaScript heap of the process. Megabytes. */
const memoryMb = 512

/**
 * Runner for the recipes that a prompt names; calls no model. Works in a process of its own with a memory limit and without our
 * environment, so that a page that stalls a parser costs one job only.
 */
export const builtInRunner = (): Runner => ({
  model: 'built-in recipes',
  check: (prompt) => {
    try {
      parseSteps(prompt)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  },
  run: async ({ prompt, checkout, folder, repository }, signal) => {
    // Rejects an unknown line before a process starts.
    parseSteps(prompt)
    signal.throwIfAborted()
    const child = fork(worker, [], {
      execArgv: [`--max-old-space-size=${memoryMb}`, '--disable-warning=ExperimentalWarning'],
      env: { PATH: process.env.PATH, NODE_ENV: 'production', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A group of its own, which the git commands it starts are in too.
      detached: true,
    })
    const kill = () => killGroup(child)
    signal.addEventListener('abort', kill)
    try {
      const { gitDir, commit } = repository
      const report = await runWorker(child, { prompt, checkout, folder, gitDir, commit })
      signal.throwIfAborted()
      if (report.kind === 'failed') throw new Error(report.reason)
      return { report: report.report, usage: null, checks: null }
    } finally {
      signal.removeEventListener('abort', kill)
      kill()
    }
  },
})

const runWorker = (child: ChildProcess, order: RecipeOrder) =>
  new Promise<RecipeReport>((resolve) => {
    let report: RecipeReport | null = null
    const finish = (reason: string) => resolve(report ?? { kind: 'failed', reason })
    child.on('message', (message: RecipeReport) => (report = message))
    child.once('error', () => finish('The process of the built-in runner could not be started.'))
    child.once('exit', (code, signal) => finish(explainExit(code, signal)))
    child.send(order, () => {})
  })

const explainExit = (code: number | null, signal: NodeJS.Signals | null) =>
  // V8 aborts when the heap limit is reached.
  signal === 'SIGABRT' || code === 134
    ? 'The built-in runner ran out of memory.'
    : `The built-in runner ended unexpectedly (${signal ?? `exit code ${code}`}).`

const killGroup = ({ pid }: ChildProcess) => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The processes have ended already.
  }
}
