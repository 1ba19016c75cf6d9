import type { NotStoredReason } from '@docket/api-types/artifacts'
import { sql } from 'drizzle-orm'
import { findSite } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { sites } from '#ground/db/sites.table.ts'
import type { ExportForArtifact } from '#bundles/artifacts/export-records.ts'
import type { Tx } from '#ground/db/database.ts'

/** Finds the site of a connection and domain. Creates it the first time. */
export const ensureSite = async (
  tx: Tx,
  { connectionId, domain }: Pick<ExportForArtifact, 'connectionId' | 'domain'>,
  at: Date,
): Promise<string> => {
  await tx.insert(sites).values({ connectionId, domain, createdAt: at }).onConflictDoNothing()
  return (await findSite(tx, { connectionId, domain }))!
}

/** Columns of an artifact without a copy. */
export const emptyArtifact = {
  reason: null,
  detail: null,
  phase: null,
  done: null,
  total: null,
  sha256: null,
  kept: false,
  storedAt: null,
  attempts: 0,
} as const

/**
 * Writes that the bundle of a completed export will be stored, or with `reason` why not, in the transaction that says so. Work under way and
 * a copy stay as they are. False then.
 */
export const intendStoring = async (
  tx: Tx,
  { exportId, startedAt, ...place }: ExportForArtifact,
  { at, reason = null, attempts = 0 }: { at: Date; reason?: NotStoredReason | null; attempts?: number },
): Promise<boolean> => {
  const siteId = await ensureSite(tx, place, at)
  const state = reason === null ? ('storing' as const) : ('not_stored' as const)
  const set = { ...emptyArtifact, state, reason, attempts }
  const written = await tx
    .insert(artifacts)
    .values({ ...set, exportId, siteId, exportedAt: startedAt })
    .onConflictDoUpdate({ target: artifacts.exportId, set, setWhere: sql`${artifacts.state} = 'not_stored'` })
    .returning({ exportId: artifacts.exportId })
  return written.length > 0
}
