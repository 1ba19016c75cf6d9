import { and, eq } from 'drizzle-orm'
import { acceptedFindings } from '#bundles/artifacts/artifacts.table.ts'
import { sites } from '#ground/db/sites.table.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { type FindingCounter, lockSite } from './finding-counter.ts'

type Decision = {
  siteId: string
  /** Export whose page it was decided on. */
  exportId: string
  finding: { fingerprint: string; rule: string; target: string | null }
  /** Null takes the acceptance back. */
  reason: string | null
  by: Actor
  at: Date
}

/** Accepts a cause for a site, or takes that back, with its audit row and the counts of the site's artifacts. Idempotent. */
export const decideFinding = async (
  deps: {
    db: Database
    counter: Pick<FindingCounter, 'prepare' | 'write'>
    exports: Pick<ExportRecords, 'countChange'>
  },
  decision: Decision,
): Promise<void> => {
  const { db, counter, exports } = deps
  await counter.prepare(decision.siteId)
  await db.transaction(async (tx) => {
    const { siteId, exportId, finding, reason, by, at } = decision
    // One decision after the other, so that the counts of the last one are right.
    await lockSite(tx, siteId)
    const [site] = await tx.select({ domain: sites.domain }).from(sites).where(eq(sites.siteId, siteId))
    const { fingerprint, rule, target } = finding
    const isThis = and(eq(acceptedFindings.siteId, siteId), eq(acceptedFindings.fingerprint, fingerprint))
    if (reason === null) {
      const removed = await tx
        .delete(acceptedFindings)
        .where(isThis)
        .returning({ fingerprint: acceptedFindings.fingerprint })
      if (removed.length === 0) return
    } else {
      const set = { reason, by: by.name ?? '', at }
      await tx
        .insert(acceptedFindings)
        .values({ siteId, fingerprint, ...set })
        .onConflictDoUpdate({ target: [acceptedFindings.siteId, acceptedFindings.fingerprint], set })
    }
    await recordAudit(tx, by, {
      action: reason === null ? 'finding.acceptance_withdrawn' : 'finding.accepted',
      at,
      target: { type: 'static_export', id: exportId, name: site?.domain ?? null },
      details: { rule, target, fingerprint, ...(reason === null ? {} : { reason }) },
    })
    await exports.countChange(tx, await counter.write(tx, siteId))
  })
}
