import type { Context } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Identity } from '#ground/identity/identity.ts'

/** Who sends a request, and to which host of Docket: the address of a hosted channel may have its port. */
export type Sender = { identity: Identity; actor: Actor; host: string }

export const readSender = (c: Context<AppEnv>): Sender => ({
  identity: c.var.identity,
  actor: c.var.actor,
  host: c.req.header('host') ?? '',
})
