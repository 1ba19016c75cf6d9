import type { StaticExportSnapshot } from '#admin-api/admin-api.ts'

/** Progress of one export after its last observation. */
export type Progress = {
  /** Percent as shown, 0 to 100; null while nothing usable was sent. */
  progress: number | null
  /** True once the service sent more than 1, which proves that it counts in percent. */
  progressIsPercent: boolean
  pageCount: number | null
  /** Pages per second over the last observations; null until two of them can be compared. */
  pagesPerSecond: number | null
}

const clamp = (percent: number) => Math.min(100, Math.max(0, percent))

const toPercent = (before: Progress, sent: NonNullable<StaticExportSnapshot['progress']>): number => {
  if (sent.scale === 'fraction') return clamp(sent.value * 100)
  if (sent.scale === 'percent' || before.progressIsPercent) return clamp(sent.value)
  // Exactly 1 is the first percent far more often than the last moment of a fraction; it is a whole only after larger fractions.
  if (sent.value === 1) return (before.progress ?? 0) > 1 ? 100 : 1
  return clamp(sent.value * 100)
}

const nextPercent = (before: Progress, sent: StaticExportSnapshot['progress']) => {
  if (sent === null || !Number.isFinite(sent.value))
    return { progress: before.progress, progressIsPercent: before.progressIsPercent }
  const percent = toPercent(before, sent)
  const provesPercent = sent.scale === 'percent' && sent.value > 1
  // Earlier numbers were read as fractions by mistake. Only this correction lowers the percentage.
  const corrected = provesPercent && !before.progressIsPercent
  return {
    progress: corrected ? percent : Math.max(before.progress ?? 0, percent),
    progressIsPercent: before.progressIsPercent || provesPercent,
  }
}

/** Shown as 0. */
const minSpeed = 0.05

const nextSpeed = (before: Progress, pageCount: number | null, elapsedMs: number | null) => {
  if (pageCount === null || before.pageCount === null || elapsedMs === null) return before.pagesPerSecond
  const pages = pageCount - before.pageCount
  // The service began again, so the earlier speed no longer applies.
  if (pages < 0) return null
  if (elapsedMs < 250) return before.pagesPerSecond
  const now = (pages * 1000) / elapsedMs
  const speed = before.pagesPerSecond === null ? now : (now + before.pagesPerSecond) / 2
  // A halved speed never reaches 0, so every read of a stalled export would count as a change.
  return speed < minSpeed ? 0 : speed
}

/**
 * Applies one more answer to the progress (Admin API §2.3), `elapsedMs` after the previous answer (null for the first). The percentage
 * never falls, even when the service restarts its work; `pageCount` may. A number up to 1 is a fraction until the service has sent more
 * than 1.
 */
export const observeProgress = (
  before: Progress,
  snapshot: StaticExportSnapshot,
  elapsedMs: number | null,
): Progress => ({
  ...nextPercent(before, snapshot.progress),
  pageCount: snapshot.pageCount ?? before.pageCount,
  pagesPerSecond: nextSpeed(before, snapshot.pageCount, elapsedMs),
})
