import { randomUUID } from 'node:crypto'
import { and, isNull } from 'drizzle-orm'
import { AdminApiError, type AdminApi } from '#admin-api/admin-api.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import type { Permit } from '#rate-limit/limiter.ts'
import type { Polling } from '#polling/polling.ts'
import { callsAtMostOnce } from '#admin-api/at-most-once.ts'
import { writeIntent, type Intent } from './intent.ts'
import { listEvents } from '#static-exports/static-exports.events.ts'
import { countExportChange, isExport, isTrackedTwice, recordExportEvents } from '#static-exports/static-exports.rows.ts'
import { afterAnswer, afterLostAnswer, afterRefusal, selectChanges } from '#static-exports/watching/outcome.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import type { StaticExportRow } from '#static-exports/static-exports.view.ts'

/** Starts exports, each intent at most once. */
export type StaticExportStarter = {
  /**
   * Writes the intent, makes the call, and waits up to `waitMs` for its answer. Answers with the row of the intent, also when the
   * same `requestId` was seen before: then nothing is called. Rejects with `invalid_request`, `conflict` and
   * `too_many_requests` before anything is written or called.
   */
  start: (intent: Intent & { by: Actor }, waitMs: number) => Promise<StaticExportRow>
  /** Waits for the calls under way. */
  settled: () => Promise<void>
}

/** A call lasts at most the client's total time-out; a lease is longer, so that what still has no answer then has lost it. */
export const staticExportStarter = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
  /** To be called when an export became due. */
  wake: () => void
}): StaticExportStarter => {
  const { db, adminApi, log, wake } = deps
  const { limiter, lease, now, schedule } = deps.polling

  const call = async (row: StaticExportRow, permit: Permit): Promise<StaticExportRow> => {
    const { domain, version, paths } = row
    const request = { domain, version: version ?? undefined, paths: paths ?? undefined }
    try {
      const { jobId, ...snapshot } = await permit.call(() => adminApi.startStaticExport(request))
      return { ...afterAnswer(row, snapshot, { now: now(), schedule }), jobId }
    } catch (error) {
      if (!(error instanceof AdminApiError)) {
        log.error({ err: error, exportId: row.exportId }, 'a start ended in an unforeseen way')
        return afterLostAnswer(row, null, now())
      }
      return error.effect === 'none' ? afterRefusal(row, error, now()) : afterLostAnswer(row, error, now())
    }
  }

  const write = (outcome: StaticExportRow) =>
    db.transaction(async (tx) => {
      // Also after another process took this one for dead and called the outcome unknown; a person's attached job stays.
      const [current] = await tx
        .select()
        .from(staticExports)
        .where(and(isExport(outcome.exportId), isNull(staticExports.jobId)))
        .for('update')
      if (current?.state !== 'starting' && current?.state !== 'unknown') return
      const nextCheckAt = current.removedAt === null ? outcome.nextCheckAt : null
      const set = { ...selectChanges(outcome), nextCheckAt, leaseOwner: null, leaseUntil: null }
      await tx.update(staticExports).set(set).where(isExport(outcome.exportId))
      await countExportChange(tx, isExport(outcome.exportId))
      const moment = { now: now(), runningSince: now() }
      await recordExportEvents(tx, outcome.exportId, listEvents(current, outcome, moment))
    })

  const starts = callsAtMostOnce<StaticExportRow>({
    what: 'a start',
    write: (outcome) =>
      write(outcome).catch((error: unknown) => {
        if (isTrackedTwice(error)) return write(sameJobAgain(outcome, now()))
        throw error
      }),
    isOpen: async (exportId) => {
      const [row] = await db.select({ state: staticExports.state }).from(staticExports).where(isExport(exportId))
      return row?.state === 'starting'
    },
    wake,
    log,
  })

  return {
    start: async (intent, waitMs) => {
      const { row, permit } = await writeIntent(db, intent, {
        exportId: randomUUID(),
        startedAt: new Date(now()),
        leaseOwner: `${lease.owner}/start`,
        leaseUntil: new Date(now() + lease.leaseMs),
        takePermit: (tx) => limiter.permit(tx, 'startStaticExport'),
      })
      if (permit !== null) starts.launch(row.exportId, () => call(row, permit))
      await starts.answered(row.exportId, waitMs)
      return row
    },
    settled: starts.settled,
  }
}

const sameJobAgain = (outcome: StaticExportRow, now: number): StaticExportRow => ({
  ...outcome,
  state: 'refused',
  reason: `The service started nothing new: it answered with the job ${outcome.jobId ?? ''}, which is in the list already.`,
  jobId: null,
  finishedAt: new Date(now),
  nextCheckAt: null,
})
