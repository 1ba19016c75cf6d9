import { domainToUnicode } from 'node:url'
import type { ProgressScale } from '@docket/api-types/connections'
import type { UsualDuration } from '@docket/api-types/list'
import type { Artifact } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import type { InferSelectModel } from 'drizzle-orm'
import type { StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import type { AdminApiError } from '#ground/errors/app-error.ts'
import { isUnsettled, toNote } from '#ground/db/attention.ts'
import { afterFailedRead, afterGoodRead, toCheckFailure } from '#service/polling/failed-read.ts'
import { isUnknownExportStatus } from '#service/connections/status-meanings.ts'
import { findChangingSince } from '#service/polling/read-interval.ts'
import type { Clock } from '#service/polling/schedule.ts'
import type { staticExports } from './static-exports.table.ts'

export type StaticExportRow = InferSelectModel<typeof staticExports>

/** Recently removed exports keep their row, because their `requestId` prevents a repeated request from starting a second export. */
export const sparedDays = 30

/** Earliest time at which a removed export may be deleted, however short the retention. */
export const sparedUntil = ({ startedAt }: { startedAt: Date }): Date =>
  new Date(startedAt.getTime() + sparedDays * 86_400_000)

const toIso = (date: Date | null) => date?.toISOString() ?? null

/** True while the export has not ended: the start is in progress, or the service knows the job and works on it. */
export const isActive = ({ state, goneAt }: Pick<StaticExportRow, 'state' | 'goneAt'>): boolean =>
  state === 'starting' || (state === 'accepted' && goneAt === null)

/** The service reports an export that a person cancelled as failed with this reason. */
export const isCancelled = ({ state, reason }: Pick<StaticExportRow, 'state' | 'reason'>): boolean =>
  state === 'failed' && reason === 'cancelled'

/** True while the service reports a status that may be an end in its own words. A person says what it means. */
export const isUnrecognised = (row: Pick<StaticExportRow, 'state' | 'goneAt' | 'status'>): boolean =>
  row.state === 'accepted' && row.goneAt === null && isUnknownExportStatus(row.status)

/** Only Docket's own service is known to cancel. Null for others. */
export const describeExportActions = (
  row: StaticExportRow,
  { embedded, isOpen }: { embedded: boolean; isOpen: boolean },
): NonNullable<StaticExport['actions']> | null => {
  if (!embedded) return null
  if (!isOpen) return { cancel: 'The connection of this export isn’t active.' }
  if (row.goneAt !== null) return { cancel: 'The service no longer finds this export.' }
  if (!isActive(row)) return { cancel: 'This export is over.' }
  return { cancel: row.jobId === null ? 'The service hasn’t accepted this export yet.' : null }
}

/** The name has no extension, such as `docs.example.com-2026-03-01`. ASCII, because the domain is. */
export const formatBundleName = ({ domain, finishedAt, startedAt }: StaticExportRow): string =>
  `${domain}-${(finishedAt ?? startedAt).toISOString().slice(0, 10)}`

const minPercent = 10
const minElapsedMs = 5_000

/** Depends only on the row and never on the clock, so an unchanged row gives the same estimate. */
export const estimateEnd = (row: StaticExportRow, usualMs: number | null): Date | null => {
  // Docket does not know when an imported export started.
  if (!isActive(row) || isUnrecognised(row) || row.imported) return null
  const seenMs = (row.checkedAt ?? row.startedAt).getTime()
  const usual = usualMs === null ? null : new Date(row.startedAt.getTime() + usualMs)
  if (usual !== null && usual.getTime() > seenMs) return usual
  const elapsedMs = seenMs - row.startedAt.getTime()
  if (row.progress === null || row.progress < minPercent || row.progress >= 100 || elapsedMs < minElapsedMs) return null
  return new Date(row.startedAt.getTime() + (elapsedMs * 100) / row.progress)
}

/** In milliseconds. Null while the export is open, when it was imported, and when Docket never saw it run. */
export const calculateDuration = ({ startedAt, finishedAt, unfinishedAt, imported }: StaticExportRow): number | null =>
  finishedAt === null || unfinishedAt === null || imported ? null : finishedAt.getTime() - startedAt.getTime()

/** `usual` is the usual duration of the domain, `artifact` Docket's copy of the bundle. */
export const toStaticExport = (
  row: StaticExportRow,
  usual: UsualDuration | null,
  artifact: Artifact | null = null,
): StaticExport => {
  const unicode = domainToUnicode(row.domain)
  return {
    exportId: row.exportId,
    connectionId: row.connectionId,
    domain: row.domain,
    domainUnicode: unicode === row.domain ? null : unicode,
    version: row.version,
    paths: row.paths,
    state: row.state,
    jobId: row.jobId,
    status: row.status,
    isUnrecognised: isUnrecognised(row),
    progress: row.progress,
    pageCount: row.pageCount,
    pagesPerSecond: isActive(row) ? row.pagesPerSecond : null,
    usual,
    expectedAt: toIso(estimateEnd(row, usual?.p50Ms ?? null)),
    reason: row.reason,
    startedAt: row.startedAt.toISOString(),
    finishedAt: toIso(row.finishedAt),
    durationMs: calculateDuration(row),
    imported: row.imported,
    goneAt: toIso(row.goneAt),
    replacedBy: row.replacedBy,
    needsAttention: isUnsettled(row),
    note: toNote(row),
    bundle:
      row.state === 'completed'
        ? { sizeBytes: row.bundleSizeBytes, sha256: row.bundleSha256, fileName: formatBundleName(row) }
        : null,
    artifact,
    checkedAt: toIso(row.checkedAt),
    // During a start, the column holds the end of its lease.
    nextCheckAt: row.state === 'starting' ? null : toIso(row.nextCheckAt),
    checkFailure: row.checkFailure,
  }
}

/** Reads a final status, ignoring case and blanks. Null for any other value, so polling continues. */
const parseFinalStatus = (status: string | null): 'completed' | 'failed' | null => {
  const word = status?.trim().toLowerCase()
  return word === 'completed' || word === 'failed' ? word : null
}

/** Plans the next read: often while the export runs, rarely for a day after it failed or was gone, then only after a failed read. */
const planNextCheck = (row: StaticExportRow, { now, sentMs = now, schedule }: Clock, waitMs = 0): Date | null => {
  if (row.state !== 'accepted' && !isFinished(row)) return null
  const { failures } = row
  const isRunning = row.state === 'accepted' && row.goneAt === null
  if (failures > 0 && !isRunning) return schedule.nextRetry({ nowMs: now, failures, retryAfterMs: waitMs })
  if (row.goneAt !== null) return schedule.nextSettledRead({ nowMs: now, settledAt: row.goneAt })
  const unsure = row.missingReads > 0
  if (isRunning || unsure)
    return schedule.nextRead({
      nowMs: now,
      sentMs,
      since: row.changingSince ?? row.startedAt,
      viewed: (row.viewedUntil?.getTime() ?? 0) > now,
      unsure,
      failures,
      retryAfterMs: waitMs,
    })
  return row.state === 'failed' && row.finishedAt !== null
    ? schedule.nextSettledRead({ nowMs: now, settledAt: row.finishedAt })
    : null
}

const isFinished = ({ state }: StaticExportRow) => state === 'completed' || state === 'failed'

/**
 * Applies an answer to an export. A missing field keeps its last value. A finished export stays finished, whatever the service reports
 * later; only a failed export may become completed. `scale` is the known scale of the service's progress.
 */
export const afterAnswer = (
  row: StaticExportRow,
  snapshot: StaticExportSnapshot,
  clock: Clock,
  scale: ProgressScale | null = null,
): StaticExportRow => {
  const at = new Date(clock.now)
  const refreshed = afterGoodRead(row, at)
  const end = parseFinalStatus(snapshot.status)
  if (isFinished(row) && (row.state === 'completed' || end !== 'completed')) {
    const same = { ...row, ...refreshed }
    return { ...same, nextCheckAt: planNextCheck(same, clock) }
  }
  // For its own exports, Docket knows the start time better than the service.
  const createdAt = row.imported && snapshot.createdAt !== null ? new Date(snapshot.createdAt) : null
  const elapsedMs = row.checkedAt === null ? null : clock.now - row.checkedAt.getTime()
  const read: StaticExportRow = {
    ...row,
    ...observeProgress(row, snapshot, elapsedMs, scale),
    ...collectEvidence(row, snapshot),
    ...refreshed,
    state: end ?? 'accepted',
    status: snapshot.status ?? row.status,
    exporter: snapshot.exporter ?? row.exporter,
    reason: end === 'failed' ? snapshot.error : null,
    finishedAt: end === null ? null : at,
    changingSince: row.changingSince ?? findChangingSince({ createdAt, knownAt: row.startedAt }),
    unfinishedAt: end === null ? at : row.unfinishedAt,
  }
  if (end === 'completed') read.progress = 100
  return { ...read, nextCheckAt: planNextCheck(read, clock) }
}

export const afterFailure = (row: StaticExportRow, error: AdminApiError, clock: Clock): StaticExportRow =>
  afterFailedRead(row, error, clock, { noun: 'export', since: row.startedAt, planNextCheck })

// Docket's own message has more detail: the wait that a 429 asks for, and the target of a redirect.
const ownMessage: readonly AdminApiError['code'][] = ['upstream_rate_limited', 'upstream_unexpected']

/** The reason is the service's own message, if it sent one. */
export const afterRefusal = (row: StaticExportRow, error: AdminApiError, now: number): StaticExportRow => ({
  ...row,
  state: 'refused',
  reason: ownMessage.includes(error.code) ? error.message : (error.sentence ?? error.message),
  finishedAt: new Date(now),
  checkFailure: toCheckFailure(error, now),
  nextCheckAt: null,
})

/** Applies a start with an unknown effect: it may be running, so a person decides. `error` is null when no outcome was recorded. */
export const afterLostAnswer = (row: StaticExportRow, error: AdminApiError | null, now: number): StaticExportRow => ({
  ...row,
  state: 'unknown',
  reason:
    error?.message ??
    'Docket got no response to the start, so the export may or may not be running. Check the service before you start it again.',
  checkFailure: error === null ? null : toCheckFailure(error, now),
  nextCheckAt: null,
})

/** Omits the intent (domain, version, paths, request), which never changes. */
export const selectChangedColumns = (row: StaticExportRow): Partial<StaticExportRow> => {
  const { state, jobId, status, progress, progressIsPercent, pageCount, pagesPerSecond, reason, finishedAt, tookMs } =
    row
  const { progressEvidence, progressSent, progressSteps } = row
  const { goneAt, failures, checkedAt, checkFailure, nextCheckAt, changingSince, unfinishedAt } = row
  const { foundAt, missingSince, missingReads } = row
  const found = { foundAt, missingSince, missingReads }
  const snapshot = {
    state,
    jobId,
    status,
    progress,
    progressIsPercent,
    progressEvidence,
    progressSent,
    progressSteps,
    pageCount,
    pagesPerSecond,
    exporter: row.exporter,
    reason,
    finishedAt,
    tookMs,
  }
  return { ...snapshot, ...found, goneAt, failures, checkedAt, checkFailure, nextCheckAt, changingSince, unfinishedAt }
}

export type Progress = {
  /** Percentage for display, 0 to 100. Null before the first usable number. */
  progress: number | null
  /** True once the service sent a number above 1, which proves that it counts in percent. */
  progressIsPercent: boolean
  pageCount: number | null
  /** Pages per second over the last observations; null before two comparable observations. */
  pagesPerSecond: number | null
}

type Evidence = Pick<StaticExportRow, 'progressEvidence' | 'progressSent' | 'progressSteps'>

/** Progress in the last answer is optional (Admin API §2.3), so the end after half of the way counts, too. No percentage completes there. */
const minFractionSteps = 3
const minLastFraction = 0.5

const collectEvidence = (before: Evidence, { progress, status }: StaticExportSnapshot): Evidence => {
  const sent = progress?.scale === 'ambiguous' ? progress.value : null
  const isBetween = before.progressEvidence !== null || (sent !== null && sent > 0 && sent < 1)
  const progressSent = sent ?? before.progressSent
  const progressSteps = before.progressSteps + (sent !== null && sent > (before.progressSent ?? 0) ? 1 : 0)
  const isFraction =
    sent === 1 || (progressSteps >= minFractionSteps && progressSent !== null && progressSent >= minLastFraction)
  const isProof = isBetween && isFraction && parseFinalStatus(status) === 'completed'
  return { progressEvidence: isProof ? 'fraction' : isBetween ? 'between' : null, progressSent, progressSteps }
}

const clampPercent = (percent: number) => Math.min(100, Math.max(0, percent))

type Sent = StaticExportSnapshot['progress']

/** Null while a number may be a percentage or a fraction. */
const toPercent = (before: Progress, progress: NonNullable<Sent>, known: ProgressScale | null): number | null => {
  const scale =
    progress.scale !== 'ambiguous' ? progress.scale : before.progressIsPercent ? ('percent' as const) : known
  return scale && clampPercent(scale === 'fraction' ? progress.value * 100 : progress.value)
}

const calculatePercent = (before: Progress, progress: Sent, scale: ProgressScale | null) => {
  const percent = progress === null || !Number.isFinite(progress.value) ? null : toPercent(before, progress, scale)
  if (progress === null || percent === null)
    return { progress: before.progress, progressIsPercent: before.progressIsPercent }
  const provesPercent = progress.scale === 'percent' && progress.value > 1
  // Corrects earlier numbers that were read as fractions. No other step lowers the percentage.
  const corrected = provesPercent && !before.progressIsPercent
  return {
    progress: corrected ? percent : Math.max(before.progress ?? 0, percent),
    progressIsPercent: before.progressIsPercent || provesPercent,
  }
}

/** Lower speeds count as 0. Pages per second. */
const minSpeed = 0.05

const calculateSpeed = (before: Progress, pageCount: number | null, elapsedMs: number | null) => {
  if (pageCount === null || before.pageCount === null || elapsedMs === null) return before.pagesPerSecond
  const pages = pageCount - before.pageCount
  // The service restarted its work, so the earlier speed no longer applies.
  if (pages < 0) return null
  if (elapsedMs < 250) return before.pagesPerSecond
  const now = (pages * 1000) / elapsedMs
  const speed = before.pagesPerSecond === null ? now : (now + before.pagesPerSecond) / 2
  // Halving never reaches 0, so without this every read of a stalled export would count as a change.
  return speed < minSpeed ? 0 : speed
}

/**
 * Applies one more answer to the progress (Admin API §2.3), `elapsedMs` after the previous answer (null for the first). The percentage
 * never falls, even when the service restarts its work; `pageCount` may. A plain number up to 1 gives no progress while `scale` is unknown
 * and this export has sent no number above 1.
 */
export const observeProgress = (
  before: Progress,
  snapshot: StaticExportSnapshot,
  elapsedMs: number | null,
  scale: ProgressScale | null,
): Progress => ({
  ...calculatePercent(before, snapshot.progress, scale),
  pageCount: snapshot.pageCount ?? before.pageCount,
  pagesPerSecond: calculateSpeed(before, snapshot.pageCount, elapsedMs),
})
