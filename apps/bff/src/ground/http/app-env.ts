import type { HttpBindings } from '@hono/node-server'
import type { Actor } from '#ground/identity/actor.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { Log } from '#ground/log/log.ts'

export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    /** Identifies this request in the log and in error bodies. */
    requestId: string
    log: Log
    address: string
    identity: Identity
    /** Identifies the sender anew, for a request that takes long. */
    identifyAgain: () => Promise<Identity>
    /** The sender, as the history and the audit name it. */
    actor: Actor
    /** Connection of the record in the address, for senders who do not see or operate all. `recordsWithinScope` finds it. */
    connectionId?: string | undefined
  }
}

/** The `connection` of a record that the guard found, which comes before the one that the request names. */
export const pickLocated = (c: { var: { connectionId?: string | undefined } }): { connection?: string } =>
  c.var.connectionId === undefined ? {} : { connection: c.var.connectionId }
