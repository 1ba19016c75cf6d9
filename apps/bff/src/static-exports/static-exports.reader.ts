import { eq, sql, type SQL } from 'drizzle-orm'
import { AdminApiError, type AdminApi } from '#admin-api/admin-api.ts'
import type { Database, Tx } from '#db/database.ts'
import { bumpRevision } from '#db/revision.ts'
import { claimNow, writeBack, type Claimed } from '#watch/claim.ts'
import { GateClosed, type CallGate } from '#watch/gate.ts'
import type { Pace } from '#watch/intervals.ts'
import { afterAnswer, afterFailure, afterLostAnswer } from './static-exports.outcome.ts'
import { staticExports } from './static-exports.table.ts'
import type { StaticExportRow } from './static-exports.view.ts'

/** Reads accepted exports upstream, one call per export at a time, and keeps the outcome. */
export type StaticExportReader = {
  /** For the watcher: reads a claimed export. Failures of the service end up in the record. */
  readClaimed: (claimed: Claimed<StaticExportRow>) => Promise<void>
  /**
   * For a person: reads it now, or joins the read that is under way in this process. False when there is no such export.
   * Rejects with `GateClosed`, without a call, while the service asked to be left alone.
   */
  readNow: (exportId: string, lease: { owner: string; leaseMs: number }) => Promise<boolean>
}

/** The condition that names one export. */
export const isExport = (exportId: string): SQL => eq(staticExports.exportId, exportId)

/** Stamps changed exports with the next revision of the list. The list's own row comes last, so writers cannot block each other. */
export const countChange = async (tx: Tx, changed: SQL | undefined): Promise<void> => {
  const revision = await bumpRevision(tx, 'static_exports')
  await tx.update(staticExports).set({ revision }).where(changed)
}

/** What an outcome may change; the intent (domain, version, paths, request) never does. */
export const changesOf = (row: StaticExportRow): Partial<StaticExportRow> => {
  const { state, jobId, status, progress, progressIsPercent, pageCount, pagesPerSecond, reason, finishedAt } = row
  const { goneAt, failures, checkedAt, checkFailure, nextCheckAt } = row
  const snapshot = { state, jobId, status, progress, progressIsPercent, pageCount, pagesPerSecond, reason, finishedAt }
  return { ...snapshot, goneAt, failures, checkedAt, checkFailure, nextCheckAt }
}

/** Reads through `gate`; `pace` says how soon an export is read again. */
export const staticExportReader = (deps: {
  db: Database
  adminApi: AdminApi
  gate: CallGate
  now: () => number
  pace: Pace
}): StaticExportReader => {
  const { db, adminApi, gate, now, pace } = deps
  const underWay = new Map<string, Promise<boolean>>()

  const joined = (exportId: string, read: () => Promise<boolean>): Promise<boolean> => {
    const running = underWay.get(exportId) ?? read().finally(() => underWay.delete(exportId))
    underWay.set(exportId, running)
    return running
  }

  const keep = (lease: string, outcome: StaticExportRow) =>
    db.transaction(async (tx) => {
      const which = isExport(outcome.exportId)
      const kept = await writeBack(tx, staticExports, { which, lease, set: changesOf(outcome) })
      if (kept !== undefined) await countChange(tx, which)
    })

  /** Asks the service and keeps what comes of it. Rejects with `GateClosed`, and frees the export, when no call was made. */
  const readAndKeep = async ({ row, lease }: Claimed<StaticExportRow>, click: boolean): Promise<void> => {
    const { jobId } = row
    // Its start was never answered, and the process that waited for the answer is gone.
    if (jobId === null) return keep(lease, afterLostAnswer(row, null, now()))
    let outcome: StaticExportRow
    try {
      const snapshot = await gate.call(() => adminApi.getStaticExport(jobId), { click })
      outcome = afterAnswer(row, snapshot, { now: now(), pace })
    } catch (error) {
      if (error instanceof GateClosed) {
        const set = row.nextCheckAt === null ? {} : { nextCheckAt: new Date(now() + (error.retryAfterMs ?? 0)) }
        await writeBack(db, staticExports, { which: isExport(row.exportId), lease, set })
      }
      if (!(error instanceof AdminApiError) || error instanceof GateClosed) throw error
      outcome = afterFailure(row, error, { now: now(), pace })
    }
    await keep(lease, outcome)
  }

  return {
    readClaimed: async (claimed) => {
      await joined(claimed.row.exportId, async () => {
        await readAndKeep(claimed, false).catch((error: unknown) => {
          if (!(error instanceof GateClosed)) throw error
        })
        return true
      })
    },
    readNow: (exportId, lease) =>
      joined(exportId, async () => {
        // Before the claim, which would make another process drop its answer.
        gate.ensureOpen({ click: true })
        // A start that is under way keeps its lease: nothing can be read before it is answered.
        const which = sql`${isExport(exportId)} and ${staticExports.jobId} is not null`
        const claimed = await claimNow(db, staticExports, { ...lease, now: now(), which })
        if (claimed === undefined) return false
        await readAndKeep(claimed, true)
        return true
      }),
  }
}
