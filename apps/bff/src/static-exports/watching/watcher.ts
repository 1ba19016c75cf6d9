import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import { endTimedOutStarts } from '#static-exports/starting/lost-starts.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import type { StaticExportRow } from '#static-exports/static-exports.view.ts'
import type { Polling } from '#polling/polling.ts'
import type { RecordReader } from '#polling/reader.ts'
import { recordWatcher } from '#polling/watcher.ts'
import type { WatchLoop } from '#polling/loop.ts'
import { hasJobId } from './reader.ts'

/** Keeps running exports up to date without a request, and finds starts whose answer can no longer come. */
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
