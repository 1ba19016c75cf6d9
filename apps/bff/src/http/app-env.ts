import type { HttpBindings } from '@hono/node-server'
import type { Actor } from '#identity/actor.ts'
import type { Identity } from '#identity/identity.ts'
import type { Log } from '#log/log.ts'

/** Context of every handler. */
export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    /** Identifies this request in the log and in error bodies. */
    requestId: string
    /** The log, with the request's id on every line. */
    log: Log
    /** Address of the client. */
    address: string
    identity: Identity
    /** The sender, as the history and the audit name it. */
    actor: Actor
  }
}
