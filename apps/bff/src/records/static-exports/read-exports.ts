import type { Artifact } from '@docket/api-types/artifacts'
import type { UsualDuration } from '@docket/api-types/list'
import type { StaticExportCsvQuery, StaticExportListQuery } from '@docket/api-types/static-exports'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { findBeginners, openRecordHistory } from '#service/history/records-history.ts'
import { describeRemoval } from '#service/history/retention.ts'
import { lastState } from '#records/last-state.ts'
import type { Ctx } from '#ground/ctx.ts'
import { mapPieces } from '#ground/db/record-list.ts'
import { isWithin, narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { allExports, listExportDomains, readExportPage, rowsOfPage } from './static-exports.list.ts'
import { findExports, findKnownExport, findListedExport, exportNotListedError } from './static-exports.rows.ts'
import { describeExportActions, sparedUntil, toStaticExport, type StaticExportRow } from './static-exports.state.ts'

const findArtifacts = async ({ readArtifacts }: ExportsCtx, rows: readonly StaticExportRow[]) => {
  const found = await readArtifacts(rows.flatMap(({ exportId, state }) => (state === 'completed' ? exportId : [])))
  return ({ exportId }: StaticExportRow) => found.get(exportId) ?? null
}

const findStarters = async ({ db }: ExportsCtx, rows: readonly StaticExportRow[]) => {
  const found = await findBeginners(
    db,
    'static_export',
    rows.map(({ exportId }) => exportId),
  )
  return ({ exportId }: StaticExportRow) => found.get(exportId) ?? null
}

type Known = { usual: UsualDuration | null; artifact: Artifact | null; startedBy?: string | null }

const presentRow = ({ connections }: ExportsCtx, row: StaticExportRow, { usual, artifact, startedBy }: Known) => {
  const isOpen = connections.find(row.connectionId) !== undefined
  return {
    ...toStaticExport(row, usual, artifact),
    ...(isOpen ? {} : lastState),
    startedBy,
    actions: describeExportActions(row, { embedded: connections.isEmbedded(row.connectionId), isOpen }),
  }
}

const presentListedExport = (ctx: ExportsCtx, row: StaticExportRow, known: Known) => ({
  ...presentRow(ctx, row, known),
  ...describeRemoval(row, ctx.retentionDays.staticExports, sparedUntil(row)),
})

const findUsualAndArtifact = async (ctx: ExportsCtx, row: StaticExportRow): Promise<Known> => {
  const [usual, artifact, starter] = await Promise.all([
    ctx.exportDurations.forOne(row),
    findArtifacts(ctx, [row]),
    findStarters(ctx, [row]),
  ])
  return { usual, artifact: artifact(row), startedBy: starter(row) }
}

export const presentExport = async (ctx: ExportsCtx, row: StaticExportRow) =>
  presentRow(ctx, row, await findUsualAndArtifact(ctx, row))

/** Throws `not_found` for an export that is not listed. */
export const getExport = async (ctx: ExportsCtx, exportId: string) =>
  presentExport(ctx, await findListedExport(ctx.db, exportId))

/** Includes exports that are not listed. Throws `not_found` for an unknown one. */
export const getKnownExport = async (ctx: ExportsCtx, exportId: string) => {
  const row = await findKnownExport(ctx.db, exportId)
  return presentListedExport(ctx, row, await findUsualAndArtifact(ctx, row))
}

export const listExports = async (ctx: ExportsCtx, query: StaticExportListQuery, scope: TokenScope) => {
  const { items, ...page } = await readExportPage(ctx.db, query, narrowScope(scope, query))
  const [usual, artifact, starter] = await Promise.all([
    ctx.exportDurations.forRunning(items),
    findArtifacts(ctx, items),
    findStarters(ctx, items),
  ])
  const shown = items.map((row) =>
    presentListedExport(ctx, row, { usual: usual(row), artifact: artifact(row), startedBy: starter(row) }),
  )
  return { value: { items: shown, nextCursor: page.nextCursor, counts: page.counts } }
}

/** Returns chunks. Rejects before the first chunk when a filter is invalid. */
export const listAllExports = async (ctx: ExportsCtx, query: StaticExportCsvQuery, scope: TokenScope) => {
  const pieces = await allExports(ctx.db, { ...query, limit: 50 }, narrowScope(scope, query))
  return mapPieces(pieces, async (rows: readonly StaticExportRow[]) => {
    const artifact = await findArtifacts(ctx, rows)
    return rows.map((row) => presentListedExport(ctx, row, { usual: null, artifact: artifact(row) }))
  })
}

/** Exports by id, listed or not. */
export const presentExports = async (ctx: ExportsCtx, exportIds: readonly string[]) => {
  const rows = await findExports(ctx.db, exportIds)
  const [usual, artifact] = await Promise.all([ctx.exportDurations.forRunning(rows), findArtifacts(ctx, rows)])
  return rows.map((row) => presentListedExport(ctx, row, { usual: usual(row), artifact: artifact(row) }))
}

export const listExportChecks = async (ctx: ExportsCtx, query: StaticExportListQuery, scope: TokenScope) => {
  const { items } = await rowsOfPage(ctx.db, query, narrowScope(scope, query))
  const usual = await ctx.exportDurations.forRunning(items)
  const checks = items.map((row) => {
    const { checkFailure, ...check } = presentRow(ctx, row, { usual: usual(row), artifact: null })
    return { ...check, failedAt: checkFailure?.at ?? null }
  })
  return { checks }
}

export const listExportFilters = async ({ db }: Pick<Ctx, 'db'>, scope: TokenScope) => ({
  domains: await listExportDomains(db, scope),
})

/** Throws `not_found` for an unknown export or one outside the scope. */
export const ensureExportInScope = async (
  { db }: Pick<Ctx, 'db'>,
  exportId: string,
  { domains, connectionIds }: TokenScope,
): Promise<string> => {
  const { domain, connectionId } = await findKnownExport(db, exportId)
  if (!isWithin(domains, domain) || !isWithin(connectionIds, connectionId)) throw exportNotListedError()
  return connectionId
}

export const openExportHistory = ({ db, now, retentionDays }: ExportsCtx, exportId: string) =>
  openRecordHistory(
    { db, now, retentionDays: retentionDays.staticExports },
    () => ({ type: 'static_export', exportId }),
    () => findListedExport(db, exportId),
  )
