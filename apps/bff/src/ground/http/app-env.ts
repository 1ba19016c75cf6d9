import type { HttpBindings } from '@hono/node-server'
import type { Actor, Identity } from '#ground/identity/identity.ts'
import type { Log } from '#ground/log/log.ts'

export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    /** Identifies this request in the log and in error bodies. */
    requestId: string
    log: Log
    address: string
    identity: Identity
    /** Identifies the caller again, for a request that takes long. */
    identifyAgain: () => Promise<Identity>
    /** The caller, as named in the history and the audit. */
    actor: Actor
    /** Connection of the record in the address, for callers who cannot see or operate all connections. `guardRecordsWithinScope` sets it. */
    connectionId?: string | undefined
  }
}
