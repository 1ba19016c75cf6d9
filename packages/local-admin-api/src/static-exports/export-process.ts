import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ExportOrder, WorkerReport } from '#static-exports/worker-messages.ts'

/** How a worker process ended: `stopped` when we asked it to, otherwise with the reason of its failure or none. */
export type ExportEnd =
  | { kind: 'completed'; pageCount: number }
  | { kind: 'failed'; reason: string }
  | { kind: 'stopped' }

/** A running export. `stop` kills the process; `ended` never rejects. */
export type ExportProcess = { ended: Promise<ExportEnd>; stop(): void }

/** Limits of a worker process. */
export type WorkerLimits = {
  /** JavaScript heap. Megabytes. */
  memoryMb: number
  /** Longest silence before the process is killed. Milliseconds. */
  silenceMs: number
  /** Program to run; another one only in tests. */
  program?: string
}

const worker = fileURLToPath(import.meta.resolve('./export-worker.ts'))

/**
 * Runs one export in a process of its own: with a memory limit, without our environment (so without our secrets), and with a
 * watchdog, so that a source that hangs or blows up a parser costs one job and nothing else.
 */
export const startExportProcess = (
  order: ExportOrder,
  limits: WorkerLimits,
  onProgress: (progress: number, pageCount: number) => void,
): ExportProcess => {
  const child = fork(limits.program ?? worker, [], {
    execArgv: [`--max-old-space-size=${limits.memoryMb}`, '--disable-warning=ExperimentalWarning'],
    env: { NODE_ENV: 'production', TZ: 'UTC', PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let end: ExportEnd | null = null
  // The first verdict counts: a kill after "completed" changes nothing.
  const settle = (verdict: ExportEnd) => {
    end ??= verdict
    child.kill('SIGKILL')
  }
  const onSilence = () =>
    settle({
      kind: 'failed',
      reason: `The export made no progress for ${Math.round(limits.silenceMs / 1000)} s and was stopped`,
    })
  let watchdog = setTimeout(onSilence, limits.silenceMs)

  child.on('message', (report: WorkerReport) => {
    clearTimeout(watchdog)
    if (report.kind !== 'progress') return settle(report)
    watchdog = setTimeout(onSilence, limits.silenceMs)
    onProgress(report.progress, report.pageCount)
  })
  const ended = new Promise<ExportEnd>((resolve) => {
    const finish = (reason: string) => {
      clearTimeout(watchdog)
      resolve(end ?? { kind: 'failed', reason })
    }
    child.once('error', () => finish('The export process could not be started'))
    child.once('exit', (code, signal) => finish(reasonOf(code, signal)))
  })
  child.send(order, (error) => {
    if (error) settle({ kind: 'failed', reason: 'The export process ended before it began' })
  })
  return { ended, stop: () => settle({ kind: 'stopped' }) }
}

const reasonOf = (code: number | null, signal: NodeJS.Signals | null) => {
  // V8 aborts when the heap limit is reached.
  if (signal === 'SIGABRT' || code === 134) return 'The export ran out of memory'
  return `The export process ended unexpectedly (${signal ?? `exit code ${code}`})`
}
