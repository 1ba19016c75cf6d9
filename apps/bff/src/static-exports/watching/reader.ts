import { isNotNull } from 'drizzle-orm'
import type { AdminApi } from '#admin-api/admin-api.ts'
import type { Database } from '#db/database.ts'
import { listEvents, measureDuration } from '#static-exports/static-exports.events.ts'
import { countExportChange, isExport, recordExportEvents } from '#static-exports/static-exports.rows.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import type { StaticExportRow } from '#static-exports/static-exports.view.ts'
import type { Polling } from '#polling/polling.ts'
import { recordReader, type RecordReader } from '#polling/reader.ts'
import { afterAnswer, afterFailure, selectChanges } from './outcome.ts'

/** Nothing can be read of an export before its start was answered. */
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
  const momentOf = (now: number) => ({ now, runningSince, held: polling.limiter.lastPause() })
  const keyOf = ({ exportId }: Key) => ({ exportId })
  return recordReader(
    { db, polling, keyOf },
    {
      table: staticExports,
      named: ({ exportId }: Key) => isExport(exportId),
      readable: hasJobId,
      ask: (row) => adminApi.getStaticExport(row.jobId!),
      afterAnswer: (row, answer, clock) => measureDuration(row, afterAnswer(row, answer, clock), momentOf(clock.now)),
      afterFailure,
      changesOf: selectChanges,
      countChange: (tx, { exportId }) => countExportChange(tx, isExport(exportId)),
      recordHistory: (tx, { exportId }, { change, click }) =>
        recordExportEvents(tx, exportId, [
          ...(click === null ? [] : [{ kind: 'checked', ...click } as const]),
          ...(change === null ? [] : listEvents(change.before, change.after, momentOf(polling.now()))),
        ]),
    },
  )
}
