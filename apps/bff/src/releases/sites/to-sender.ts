import type { Context } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Sender } from './ports.ts'

/** Who sends a request, and at which host of Docket. */
export const toSender = (c: Context<AppEnv>): Sender => ({
  identity: c.var.identity,
  actor: c.var.actor,
  host: c.req.header('host') ?? '',
})
