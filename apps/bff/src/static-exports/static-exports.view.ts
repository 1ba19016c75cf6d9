import { domainToUnicode } from 'node:url'
import type { UsualDuration } from '@docket/api-types/list'
import type { StaticExport } from '@docket/api-types/static-exports'
import type { InferSelectModel } from 'drizzle-orm'
import type { staticExports } from './static-exports.table.ts'

/** One export as the table holds it. */
export type StaticExportRow = InferSelectModel<typeof staticExports>

const iso = (date: Date | null) => date?.toISOString() ?? null

/** Whether Docket still waits for its end: the call is under way, or the service works on it and knows it. */
export const isActive = ({ state, goneAt }: Pick<StaticExportRow, 'state' | 'goneAt'>): boolean =>
  state === 'starting' || (state === 'accepted' && goneAt === null)

/** Name of the archive for whoever downloads it, such as `docs.example.com-2026-03-01.tar.gz`. ASCII, for the domain is. */
export const bundleFileName = ({ domain, finishedAt, startedAt }: StaticExportRow): string =>
  `${domain}-${(finishedAt ?? startedAt).toISOString().slice(0, 10)}.tar.gz`

const leastShare = 10
const leastElapsedMs = 5_000

/**
 * When it will probably be complete. The usual duration of this domain counts first; once that has passed, or without one, the
 * progress seen so far does, from a tenth of the way and five seconds on. Only what is in the row counts, never the clock:
 * so an unchanged row always gives the same answer.
 */
export const expectedEnd = (row: StaticExportRow, usualMs: number | null): Date | null => {
  // How long an imported one has been running is not known.
  if (!isActive(row) || row.imported) return null
  const seenMs = (row.checkedAt ?? row.startedAt).getTime()
  const usual = usualMs === null ? null : new Date(row.startedAt.getTime() + usualMs)
  if (usual !== null && usual.getTime() > seenMs) return usual
  const elapsedMs = seenMs - row.startedAt.getTime()
  if (row.progress === null || row.progress < leastShare || row.progress >= 100 || elapsedMs < leastElapsedMs)
    return null
  return new Date(row.startedAt.getTime() + (elapsedMs * 100) / row.progress)
}

/** The row as readers see it. `usual`: how long exports of this domain take. */
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
    // While the call of a start is under way, this is only the moment at which it counts as lost.
    nextCheckAt: row.state === 'starting' ? null : iso(row.nextCheckAt),
    checkFailure: row.checkFailure,
  }
}
