import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'

/** Closes the connection of a request that was taken in: only its answer is lost. */
export const hangUp = (c: Context<{ Bindings: HttpBindings }>): Response => {
  c.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
