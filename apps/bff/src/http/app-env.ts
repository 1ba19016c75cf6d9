import type { HttpBindings } from '@hono/node-server'
import type { Actor } from '#identity/actor.ts'
import type { Identity } from '#identity/identity.ts'
import type { Log } from '#log/log.ts'

/** Context of every handler. */
export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    /** Names this request in the log and in error bodies. */
    requestId: string
    /** The log, with the request's id on every line. */
    log: Log
    /** Address of the network that the request comes from. */
    address: string
    identity: Identity
    /** Who asks, as the history and the audit know them. */
    actor: Actor
  }
}
