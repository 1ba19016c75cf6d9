import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endGroup } from '@docket/sources/git/git'
import type { MaintenanceOrder } from '#recipes/order.ts'
import { type Outcome, formatOutcome } from '#recipes/recipe.ts'
import type { Runner } from './runner.ts'

export type RecipePlace = { checkout: string; folder: string; gitDir: string; commit: string }

export type RecipeOrder = { order: MaintenanceOrder } & RecipePlace

export type RecipeReport = { kind: 'done'; outcome: Outcome } | { kind: 'failed'; reason: string }

const worker = fileURLToPath(import.meta.resolve('./recipe-worker.ts'))
/** Megabytes. */
const memoryMb = 512

export const maintenanceModel = 'maintenance, no model'

/** Runner for one maintenance order. Ignores the prompt and calls no model. */
export const createMaintenanceRunner = (order: MaintenanceOrder): Runner => ({
  model: maintenanceModel,
  run: async ({ checkout, folder, repository: { gitDir, commit } }, signal) => {
    const outcome = await runRecipe({ order, checkout, folder, gitDir, commit }, signal)
    return { report: formatOutcome(outcome), usage: null, checks: null }
  },
})

/** Runs in a process with a memory limit and without our environment. Rejects with a readable error, even when `signal` aborts. */
export const runRecipe = async (order: RecipeOrder, signal: AbortSignal): Promise<Outcome> => {
  signal.throwIfAborted()
  const child = fork(worker, [], {
    execArgv: [`--max-old-space-size=${memoryMb}`, '--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Starts a process group, which includes the git commands that it runs.
    detached: true,
  })
  const kill = () => endGroup(child.pid)
  signal.addEventListener('abort', kill)
  try {
    const report = await runWorker(child, order)
    signal.throwIfAborted()
    if (report.kind === 'failed') throw new Error(report.reason)
    return report.outcome
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

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
