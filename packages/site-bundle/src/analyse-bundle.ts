import { fileURLToPath } from 'node:url'
import { writeReport } from '#analysis/json-files.ts'
import type { AnalysisMessage, AnalysisPhase, ReadBundle } from '#analysis/read-bundle.ts'
import { runLimited } from '#analysis/run-limited.ts'
import { usualBounds, type Bounds } from './bounds.ts'

/** A bundle that was read, or the reason why it was refused. `findings` have no places. */
export type Analysis =
  | ({ outcome: 'read' } & ReadBundle)
  | { outcome: 'refused'; reason: 'not_an_archive' | 'too_large' | 'refused'; sentence: string }

type Options = {
  file: string
  /** An empty folder for `site.zip`, `manifest.json.gz` and `report.json.gz`. */
  folder: string
  bounds?: Bounds
  memoryMb?: number
  timeLimitMs?: number
  program?: string
}

type Watch = {
  onProgress: (phase: AnalysisPhase, done: number, total: number) => void
  onFailure: (error: Error) => void
}

type AnalysisEnd = Exclude<AnalysisMessage, { kind: 'progress' | 'read' }>

/** `begun` is what was read before the check failed. */
type Attempt = Analysis | { outcome: 'failed'; error: Error; begun: ReadBundle | null }

/** Ends an unfinished analysis: keeps what was read, with an unfinished check. `why` is the predicate of a sentence. */
const endAnalysisEarly = async (folder: string, begun: ReadBundle | null, why: string): Promise<Analysis> => {
  if (begun === null) return { outcome: 'refused', reason: 'refused', sentence: `Reading the bundle ${why}.` }
  const checkUnfinished = `The check ${why} and was stopped.`
  await writeReport(folder, { version: 1, unfinished: checkUnfinished, findings: [] })
  return { outcome: 'read', ...begun, checkUnfinished }
}

const usualProgram = fileURLToPath(import.meta.resolve('./analysis/analysis-process.ts'))

/**
 * Reads and checks a bundle with `runLimited`. A process that dies while it reads the archive refuses it; one that dies later leaves a
 * check that did not finish. An attempt that fails by itself is made once more, and then counts as dead. Rejects with the reason of `signal`, and with an error that
 * has a `code` when the disk fails.
 */
export const analyseBundle = async (options: Options, watch: Watch, signal: AbortSignal): Promise<Analysis> => {
  const analyse = async () => {
    const attempt = await tryToAnalyse(options, watch, signal)
    if (attempt.outcome !== 'failed') return attempt
    watch.onFailure(attempt.error)
    return attempt
  }
  const first = await analyse()
  if (first.outcome !== 'failed') return first
  const second = await analyse()
  return second.outcome === 'failed' ? endAnalysisEarly(options.folder, second.begun, 'failed twice') : second
}

const tryToAnalyse = async (options: Options, { onProgress }: Watch, signal: AbortSignal): Promise<Attempt> => {
  const { file, folder, bounds = usualBounds, memoryMb = 512, timeLimitMs = 15 * 60_000 } = options
  const { program = usualProgram } = options
  let read: ReadBundle | null = null
  let end: AnalysisEnd | null = null
  const onMessage = (message: AnalysisMessage) => {
    if (message.kind === 'progress') onProgress(message.phase, message.done, message.total)
    else if (message.kind === 'read') read = message.bundle
    else end = message
  }
  const why = await runLimited(program, { file, folder, bounds }, { memoryMb, timeLimitMs, onMessage }, signal)
  // The listener above sets them.
  const [ended, begun] = [end, read] as [AnalysisEnd | null, ReadBundle | null]
  if (ended?.kind === 'checked') return { outcome: 'read', ...ended.bundle }
  signal.throwIfAborted()
  if (ended?.kind === 'refused') return { outcome: 'refused', reason: ended.reason, sentence: ended.sentence }
  if (ended?.kind === 'failed') return { outcome: 'failed', error: new Error(ended.message), begun }
  return endAnalysisEarly(folder, begun, why)
}
