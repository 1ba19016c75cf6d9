import type { HttpBindings } from '@hono/node-server'
import type { Log } from '#log.ts'

/** What every handler finds on its context. */
export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    /** Names this request in the log and in error bodies. */
    requestId: string
    /** The log, with the request's id on every line. */
    log: Log
    /** Who asks, as the history shows it. */
    actor: string
  }
}
