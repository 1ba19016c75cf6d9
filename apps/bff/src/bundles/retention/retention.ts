import { and, eq, sql } from 'drizzle-orm'
import { isArtifact, isSurplus, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
import { type FindingCounter, lockSite } from '#bundles/check/finding-counter.ts'
import { emptyArtifact } from '#bundles/storing/intend-storing.ts'
import { releaseBundle } from '#bundles/storing/bundle-rows.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { daysAgo } from '#ground/db/delete-old-rows.ts'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import type { Actor } from '#ground/identity/actor.ts'

/** How many bundles of a site stay, and for how many days older ones do. */
export type ArtifactRetention = { perSite: number; retentionDays: number }

/** Condition for artifacts that retention deletes at `now`. */
export const isExpired = ({ perSite, retentionDays }: ArtifactRetention, now: number) =>
  and(
    eq(artifacts.state, 'stored'),
    eq(artifacts.kept, false),
    sql`${artifacts.storedAt} < ${daysAgo(now, retentionDays)}`,
    isSurplus(perSite),
  )

/** What a copy takes along: history, and the counts of the next one of its site. */
type DropTools = Pick<Ctx, 'events'> & {
  exports: Pick<ExportRecords, 'countChange' | 'recordEvents'>
  counter: Pick<FindingCounter, 'write'>
}

/** Takes the copy from an artifact, with history. False when there is none. `by` null: retention. */
export const dropCopy = async (
  tx: Tx,
  { events, exports, counter }: DropTools,
  exportId: string,
  { at, by }: { at: Date; by: Actor | null },
): Promise<boolean> => {
  const [known] = await tx.select({ siteId: artifacts.siteId }).from(artifacts).where(isArtifact(exportId))
  if (known === undefined) return false
  await lockSite(tx, known.siteId)
  const row = await lockArtifact(tx, exportId)
  if (row?.state !== 'stored' || row.sha256 === null) return false
  const reason = by === null ? ('retention' as const) : ('deleted' as const)
  const set = { ...emptyArtifact, state: 'not_stored', reason, comparedWith: null } as const
  await tx.update(artifacts).set(set).where(isArtifact(exportId))
  await releaseBundle(tx, row.sha256, at)
  await events.emit(tx, 'bundle.deleted', { exportId })
  await exports.countChange(tx, [exportId, ...(await counter.write(tx, row.siteId))])
  const to = by === null ? reasonSentences.retention : null
  await exports.recordEvents(tx, exportId, [{ kind: 'bundle_deleted', at, to, ...(by && { by }) }])
  return true
}

const batch = 100

/** Deletes the copies that are too many and too old, and those of exports that are gone. */
export const artifactRetention = (
  deps: DropTools & {
    db: Database
    now: () => number
  } & ArtifactRetention,
) => {
  const { db, now, perSite, retentionDays } = deps
  const limits = { perSite, retentionDays }

  const dropExpired = async (): Promise<number> => {
    let dropped = 0
    for (;;) {
      const expired = await db
        .select({ exportId: artifacts.exportId, siteId: artifacts.siteId })
        .from(artifacts)
        .where(isExpired(limits, now()))
        .limit(batch)
      for (const { exportId, siteId } of expired)
        await db.transaction(async (tx) => {
          await lockSite(tx, siteId)
          // Somebody may have kept it since.
          const [still] = await tx
            .select()
            .from(artifacts)
            .where(and(isArtifact(exportId), isExpired(limits, now())))
          if (still !== undefined && (await dropCopy(tx, deps, exportId, { at: new Date(now()), by: null })))
            dropped += 1
        })
      if (expired.length < batch) return dropped
    }
  }

  /** Forgets artifacts whose exports were deleted for good, by whatever process. */
  const dropForgotten = async (): Promise<number> => {
    const forgotten = sql`not exists (select from static_exports e where e.export_id = ${artifacts.exportId})`
    const rows = await db.select({ exportId: artifacts.exportId }).from(artifacts).where(forgotten).limit(10_000)
    for (const { exportId } of rows)
      await db.transaction(async (tx) => {
        const [gone] = await tx
          .delete(artifacts)
          .where(and(isArtifact(exportId), forgotten))
          .returning()
        if (gone !== undefined && gone.sha256 !== null) await releaseBundle(tx, gone.sha256, new Date(now()))
      })
    return rows.length
  }

  return { run: async () => (await dropExpired()) + (await dropForgotten()) }
}
