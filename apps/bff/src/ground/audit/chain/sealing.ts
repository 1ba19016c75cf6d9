import type { Database } from '#ground/db/database.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import type { Log } from '#ground/log/log.ts'
import { realTimer, type Timer } from '#ground/clock/timer.ts'
import { onAudited } from '#ground/audit/audit.ts'
import { sealAudit, type Seal } from './seal.ts'

/** Rows written within this time share one run. */
const soonMs = 1_000
const logEveryMs = 60_000

/**
 * Seals the audit through runs that `start` requests. Logs the new head at most once a minute, as a copy in case somebody rewrites the
 * chain.
 */
export const auditSealing = (deps: { db: Database; log: Log; timer?: Timer }) => {
  const { db, log, timer = realTimer } = deps
  let stopping = false
  let unsubscribe = () => {}
  let cancelRequest: (() => void) | undefined
  let unloggedHead: Seal | undefined
  let cancelLog: (() => void) | undefined

  const logHead = () => {
    cancelLog = undefined
    if (unloggedHead === undefined) return
    log.info(unloggedHead, 'the audit is sealed up to this row')
    unloggedHead = undefined
    if (!stopping) cancelLog = timer(logHead, logEveryMs)
  }

  return {
    /** Requests a run now, and soon after each row that this process writes. */
    start: (requestRun: () => Promise<void>): void => {
      const request = () => {
        cancelRequest = undefined
        requestRun().catch((error: unknown) => {
          // The schedule requests the next run.
          log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'the audit could not be sealed now')
        })
      }
      const requestSoon = () => void (cancelRequest ??= timer(request, soonMs))
      unsubscribe = onAudited(requestSoon)
      requestSoon()
    },
    /** Seals every final row. Safe in several processes. */
    run: async (): Promise<void> => {
      unloggedHead = (await sealAudit(db, { stopping: () => stopping })) ?? unloggedHead
      if (cancelLog === undefined) logHead()
    },
    stop: (): void => {
      stopping = true
      unsubscribe()
      cancelRequest?.()
      cancelLog?.()
      logHead()
    },
  }
}
