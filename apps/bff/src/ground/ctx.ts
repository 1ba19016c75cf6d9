import type { Database } from '#ground/db/database.ts'
import type { Events } from '#ground/events.ts'
import type { Log } from '#ground/log/log.ts'

/** Context that every function gets. Each area adds its own resources. */
export type Ctx = {
  db: Database
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  events: Pick<Events, 'emit' | 'on' | 'after'>
}
