import { isNotNull } from 'drizzle-orm'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import type { WatchLoop } from '#polling/loop.ts'
import type { Polling } from '#polling/polling.ts'
import { type RecordReader, recordReader } from '#polling/reader.ts'
import { recordWatcher } from '#polling/watcher.ts'
import { listEvents, measureDuration } from './static-exports.history.ts'
import { countExportChange, isExport, recordExportEvents } from './static-exports.rows.ts'
import { afterAnswer, afterFailure, selectChanges, type StaticExportRow } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'
import { endTimedOutStarts } from './timed-out-starts.ts'

/** Polls running exports, and marks starts without an answer as `unknown`. */
export const staticExportWatcher = (deps: {
  db: Database
  reader: Pick<RecordReader<StaticExportRow, { exportId: string }>, 'readClaimed'>
  polling: Polling
  log: Log
}): WatchLoop => {
  const { db, reader, polling, log } = deps
  let recovered = false
  return recordWatcher({
    name: 'static exports',
    db,
    table: staticExports,
    readable: hasJobId,
    polling,
    read: reader.readClaimed,
    beforeClaim: async () => {
      await endTimedOutStarts(db, polling.now(), recovered || !polling.alone ? undefined : polling.lease.owner)
      recovered = true
    },
    log,
  })
}

/** Condition for exports with a jobId, which can be read. */
export const hasJobId = isNotNull(staticExports.jobId)

type Key = { exportId: string }

/** Reads accepted exports upstream. */
export const staticExportReader = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
}): RecordReader<StaticExportRow, Key> => {
  const { db, adminApi, polling } = deps
  const runningSince = polling.now()
  const toMoment = (now: number) => ({ now, runningSince, held: polling.limiter.lastPause() })
  const toKey = ({ exportId }: Key) => ({ exportId })
  return recordReader(
    { db, polling, toKey },
    {
      table: staticExports,
      condition: ({ exportId }: Key) => isExport(exportId),
      readable: hasJobId,
      ask: (row) => adminApi.getStaticExport(row.jobId!),
      afterAnswer: (row, answer, clock) => measureDuration(row, afterAnswer(row, answer, clock), toMoment(clock.now)),
      afterFailure,
      selectChanges,
      countChange: (tx, { exportId }) => countExportChange(tx, isExport(exportId)),
      toEvents: (before, after) => listEvents(before, after, toMoment(polling.now())),
      recordEvents: (tx, { exportId }, events) => recordExportEvents(tx, exportId, events),
    },
  )
}
