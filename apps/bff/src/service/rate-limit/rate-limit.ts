import { waitForDatabase, withOwnDeadline } from '#ground/db/deadline.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { budgetPlan } from './bucket.ts'
import { callLimiter } from './limiter.ts'
import { callRecords } from './call-records.ts'
import { readCalls, readReport, type CallReport } from './call-report.ts'
import type { CallClass } from './rate-limit.table.ts'

/** Builds the rate limit. `leaseMs` is longer than any call. `random` (0 to 1) draws the pauses of an outage. */
export const rateLimit = (deps: {
  db: Database
  connectionId: string
  hasReadKey: boolean
  /** 0: no polling; clicks are counted but not limited. */
  callsPerHour: number
  leaseMs: number
  now: () => number
  log: Log
  random?: () => number
}) => {
  const { db, connectionId, hasReadKey, callsPerHour, leaseMs, now, log, random } = deps
  const plan = budgetPlan(callsPerHour)
  const records = callRecords({ db, connectionId, log })
  const createLimiter = (calls: CallClass) =>
    callLimiter({ db, calls, connectionId, hasReadKey, plan, leaseMs, record: records.record, now, log, random })
  let reading: Promise<CallReport> | undefined

  const readBy = (by: Database) =>
    readReport(by, { connectionId, key: hasReadKey ? 'read' : 'main', plan, nowMs: now() })
  const read = async () => {
    await records.flush()
    return readBy(db)
  }

  const limiters = {
    static_exports: createLimiter('static_exports'),
    agent_jobs: createLimiter('agent_jobs'),
    agent_prompts: createLimiter('agent_prompts'),
  }

  return {
    limiters,
    /** Ends every pause. For a service that started anew, and for a new key. */
    reopen: async () => {
      for (const limiter of Object.values(limiters)) await limiter.reopen()
    },
    /** Ends the pauses that the service asked to last longer than Docket waits. Returns the classes of calls that had one. */
    endLongPauses: async (tx: Tx): Promise<CallClass[]> => {
      const ended: CallClass[] = []
      for (const [calls, limiter] of Object.entries(limiters))
        if (await limiter.endLongPause(tx)) ended.push(calls as CallClass)
      return ended
    },
    // Many pages ask at once.
    /** The report over all Dockets. With another connection `by`, it leaves out the last second. */
    report: (by?: Database) =>
      by === undefined
        ? waitForDatabase(() => (reading ??= withOwnDeadline(read).finally(() => (reading = undefined))))
        : readBy(by),
    /** Last answer of each operation, and the calls of the last day. */
    calls: async () => {
      await records.flush()
      return readCalls(db, { connectionId, nowMs: now() })
    },
    /** Writes the pending counts. */
    close: records.close,
  }
}

/** Rate limit of the Admin API for all Dockets on one database: one budget per key, one circuit breaker per class of calls. */
export type RateLimit = ReturnType<typeof rateLimit>
