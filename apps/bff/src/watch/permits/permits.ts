import type { ConnectionReport } from '@docket/api-types/connection'
import { waitForDatabase, withOwnDeadline } from '#db/deadline.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import { budgetPlan } from '#watch/budget.ts'
import { callGate, type CallGate } from './call-gate.ts'
import { callRecords } from './call-records.ts'
import { readCalls, readPermits, type PermitReport } from './call-report.ts'
import type { CallClass } from './permits.table.ts'

/** Leave to call the Admin API: one budget per key, one gate per class of calls, for all Dockets on one database. */
export type Permits = {
  gates: Readonly<Record<CallClass, CallGate>>
  /** How the calls stand, over all Dockets. Another connection to the same database may be used for it; then the last second is left out. */
  report: (by?: Database) => Promise<PermitReport>
  /** The last answers, and the calls of the last day. */
  calls: () => Promise<Pick<ConnectionReport, 'operations' | 'hours'>>
  /** Writes the last calls down. */
  close: () => Promise<void>
}

/** `leaseMs`: longer than a call can take. `random` from 0 to 1, for the pauses of an outage. */
export const callPermits = (deps: {
  db: Database
  origin: string
  hasReadKey: boolean
  /** 0: nothing is polled, and clicks are counted only. */
  callsPerHour: number
  leaseMs: number
  now: () => number
  log: Log
  random?: () => number
}): Permits => {
  const { db, origin, hasReadKey, callsPerHour, leaseMs, now, log, random } = deps
  const plan = budgetPlan(callsPerHour)
  const records = callRecords({ db, origin, log })
  const gateOf = (calls: CallClass) =>
    callGate({ db, calls, origin, hasReadKey, plan, leaseMs, record: records.record, now, log, random })
  let reading: Promise<PermitReport> | undefined

  const readBy = (by: Database) => readPermits(by, { origin, key: hasReadKey ? 'read' : 'main', plan, nowMs: now() })
  const read = async () => {
    await records.flush()
    return readBy(db)
  }

  return {
    gates: {
      static_exports: gateOf('static_exports'),
      agent_jobs: gateOf('agent_jobs'),
      agent_prompts: gateOf('agent_prompts'),
    },
    // Many pages ask at once.
    report: (by) =>
      by === undefined
        ? waitForDatabase(() => (reading ??= withOwnDeadline(read).finally(() => (reading = undefined))))
        : readBy(by),
    calls: async () => {
      await records.flush()
      return readCalls(db, { origin, nowMs: now() })
    },
    close: records.close,
  }
}
