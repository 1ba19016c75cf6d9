import { domainToUnicode } from 'node:url'
import type { UsualDuration } from '@docket/api-types/list'
import type { StaticExport } from '@docket/api-types/static-exports'
import type { InferSelectModel } from 'drizzle-orm'
import type { AdminApiError, StaticExportSnapshot } from '#admin-api/admin-api.ts'
import { afterFailedRead, toCheckFailure } from '#polling/failed-read.ts'
import { findChangingSince } from '#polling/read-interval.ts'
import type { Clock } from '#polling/schedule.ts'
import { observeProgress } from './progress.ts'
import type { staticExports } from './static-exports.table.ts'

/** One row of the table. */
export type StaticExportRow = InferSelectModel<typeof staticExports>

const iso = (date: Date | null) => date?.toISOString() ?? null

/** True while the end is open: the start is under way, or the service knows the job and works on it. */
export const isActive = ({ state, goneAt }: Pick<StaticExportRow, 'state' | 'goneAt'>): boolean =>
  state === 'starting' || (state === 'accepted' && goneAt === null)

/** File name of the download, such as `docs.example.com-2026-03-01.tar.gz`. ASCII, because the domain is. */
export const bundleFileName = ({ domain, finishedAt, startedAt }: StaticExportRow): string =>
  `${domain}-${(finishedAt ?? startedAt).toISOString().slice(0, 10)}.tar.gz`

const minPercent = 10
const minElapsedMs = 5_000

/**
 * Estimates the end of an export: from the usual duration of its domain, or, after that has passed, from its progress once it has run for
 * 5 s and 10 %. Uses the row and never the clock, so an unchanged row gives the same answer.
 */
export const expectedEnd = (row: StaticExportRow, usualMs: number | null): Date | null => {
  // The start of an imported export is not known.
  if (!isActive(row) || row.imported) return null
  const seenMs = (row.checkedAt ?? row.startedAt).getTime()
  const usual = usualMs === null ? null : new Date(row.startedAt.getTime() + usualMs)
  if (usual !== null && usual.getTime() > seenMs) return usual
  const elapsedMs = seenMs - row.startedAt.getTime()
  if (row.progress === null || row.progress < minPercent || row.progress >= 100 || elapsedMs < minElapsedMs) return null
  return new Date(row.startedAt.getTime() + (elapsedMs * 100) / row.progress)
}

/** Converts a row for the contract. `usual` is the usual duration of the domain. */
export const toStaticExport = (row: StaticExportRow, usual: UsualDuration | null): StaticExport => {
  const unicode = domainToUnicode(row.domain)
  return {
    exportId: row.exportId,
    domain: row.domain,
    domainUnicode: unicode === row.domain ? null : unicode,
    version: row.version,
    paths: row.paths,
    state: row.state,
    jobId: row.jobId,
    status: row.status,
    progress: row.progress,
    pageCount: row.pageCount,
    pagesPerSecond: isActive(row) ? row.pagesPerSecond : null,
    usual,
    expectedAt: iso(expectedEnd(row, usual?.p50Ms ?? null)),
    reason: row.reason,
    startedAt: row.startedAt.toISOString(),
    finishedAt: iso(row.finishedAt),
    imported: row.imported,
    goneAt: iso(row.goneAt),
    replacedBy: row.replacedBy,
    bundle:
      row.state === 'completed'
        ? { sizeBytes: row.bundleSizeBytes, sha256: row.bundleSha256, fileName: bundleFileName(row) }
        : null,
    checkedAt: iso(row.checkedAt),
    // During a start, the column holds the end of its lease.
    nextCheckAt: row.state === 'starting' ? null : iso(row.nextCheckAt),
    checkFailure: row.checkFailure,
  }
}

/** Reads a final status, ignoring case and blanks. Null for any other word, so polling goes on. */
const readEnd = (status: string | null): 'completed' | 'failed' | null => {
  const word = status?.trim().toLowerCase()
  return word === 'completed' || word === 'failed' ? word : null
}

const planNextCheck = (row: StaticExportRow, { now, askedMs = now, schedule }: Clock, waitMs = 0): Date | null => {
  if (row.state !== 'accepted') return null
  if (row.goneAt !== null) return schedule.nextSettledRead({ nowMs: now, settledAt: row.goneAt })
  return schedule.nextRead({
    nowMs: now,
    askedMs,
    since: row.changingSince ?? row.startedAt,
    viewed: (row.viewedUntil?.getTime() ?? 0) > now,
    failures: row.failures,
    retryAfterMs: waitMs,
  })
}

/**
 * Applies an answer to an export. A missing field keeps its last value. A finished export stays finished, whatever the service says
 * later.
 */
export const afterAnswer = (row: StaticExportRow, snapshot: StaticExportSnapshot, clock: Clock): StaticExportRow => {
  const at = new Date(clock.now)
  const seen = { goneAt: null, failures: 0, checkedAt: at, checkFailure: null }
  if (row.state === 'completed' || row.state === 'failed') return { ...row, ...seen, nextCheckAt: null }
  const end = readEnd(snapshot.status)
  // Docket knows the start of its own exports better.
  const createdAt = row.imported && snapshot.createdAt !== null ? new Date(snapshot.createdAt) : null
  const elapsedMs = row.checkedAt === null ? null : clock.now - row.checkedAt.getTime()
  const read: StaticExportRow = {
    ...row,
    ...observeProgress(row, snapshot, elapsedMs),
    ...seen,
    state: end ?? 'accepted',
    status: snapshot.status ?? row.status,
    reason: end === 'failed' ? snapshot.error : null,
    finishedAt: end === null ? null : at,
    changingSince: row.changingSince ?? findChangingSince({ createdAt, knownAt: row.startedAt }),
    unfinishedAt: end === null ? at : row.unfinishedAt,
  }
  if (end === 'completed') read.progress = 100
  return { ...read, nextCheckAt: planNextCheck(read, clock) }
}

/** Applies a failed read. */
export const afterFailure = (row: StaticExportRow, error: AdminApiError, clock: Clock): StaticExportRow =>
  afterFailedRead(row, error, clock, { noun: 'export', planNextCheck })

/** Applies a refused start: nothing runs, and the service's own sentence is the reason. */
export const afterRefusal = (row: StaticExportRow, error: AdminApiError, now: number): StaticExportRow => ({
  ...row,
  state: 'refused',
  // Only our own message names the wait of a 429.
  reason: error.code === 'upstream_rate_limited' ? error.message : (error.sentence ?? error.message),
  finishedAt: new Date(now),
  checkFailure: toCheckFailure(error, now),
  nextCheckAt: null,
})

/** Applies a start without an answer: the export may be running, so a person decides. */
export const afterLostAnswer = (row: StaticExportRow, error: AdminApiError | null, now: number): StaticExportRow => ({
  ...row,
  state: 'unknown',
  reason:
    'No answer came to the start, so the export may or may not be running. Look at the service before you start it again.',
  checkFailure: error === null ? null : toCheckFailure(error, now),
  nextCheckAt: null,
})

/** Selects the columns that an outcome may change. The intent (domain, version, paths, request) never changes. */
export const selectChanges = (row: StaticExportRow): Partial<StaticExportRow> => {
  const { state, jobId, status, progress, progressIsPercent, pageCount, pagesPerSecond, reason, finishedAt, tookMs } =
    row
  const { goneAt, failures, checkedAt, checkFailure, nextCheckAt, changingSince, unfinishedAt } = row
  const snapshot = {
    state,
    jobId,
    status,
    progress,
    progressIsPercent,
    pageCount,
    pagesPerSecond,
    reason,
    finishedAt,
    tookMs,
  }
  return { ...snapshot, goneAt, failures, checkedAt, checkFailure, nextCheckAt, changingSince, unfinishedAt }
}
