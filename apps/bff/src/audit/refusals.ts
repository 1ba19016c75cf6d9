import type { Context } from 'hono'
import type { Database } from '#db/database.ts'
import { routeOf } from '#http/access/access.ts'
import type { AppEnv } from '#http/app-env.ts'
import { networkOf } from '#http/load/client-address.ts'
import type { Log } from '#log/log.ts'
import { recordAudit } from './audit.ts'
import type { Actor } from '#identity/actor.ts'

/** Writes refused requests down: each at once, and those that follow within the minute together, so that a flood is a few rows. */
export type Refusals = {
  /** `route` is a pattern, never the address that was asked for. */
  note: (by: Actor, refused: { route: string; code: string }) => void
  /** Writes what is counted. */
  stop: () => Promise<void>
}

const togetherMs = 60_000
/** Who would be counted beyond that is not: the row of the flood's beginning is there. */
const mostCounted = 1_000

type Counted = { by: Actor; details: { route: string; code: string }; times: number }

/** Never rejects and never holds a request up; what cannot be written is in the log. */
export const refusals = (deps: { db: Database; now: () => number; log: Log }): Refusals => {
  const { db, now, log } = deps
  const counted = new Map<string, Counted>()
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const write = (by: Actor, details: Record<string, string | number>): void => {
    const writing = recordAudit(db, by, {
      action: 'request.refused',
      outcome: 'refused',
      at: new Date(now()),
      details,
    })
      .catch((error: unknown) => log.warn({ err: error }, 'a refusal could not be written into the audit'))
      .finally(() => underWay.delete(writing))
    underWay.add(writing)
  }
  const flush = (): void => {
    timer = undefined
    for (const { by, details, times } of counted.values()) if (times > 0) write(by, { ...details, times })
    counted.clear()
  }

  return {
    note: (by, { route, code }) => {
      const details = { route, code }
      // A network has more addresses than could be counted, and they would leave no room for anybody else.
      const key = JSON.stringify([by.kind, by.id, by.address && networkOf(by.address), details])
      const known = counted.get(key)
      if (known !== undefined) return void (known.times += 1)
      if (counted.size >= mostCounted) return
      counted.set(key, { by, details, times: 0 })
      timer ??= setTimeout(flush, togetherMs).unref()
      write(by, details)
    },
    stop: async () => {
      clearTimeout(timer)
      flush()
      await Promise.all(underWay)
    },
  }
}

/** Whether a refusal says something: an open page asks again and again after its session ended, and sign-ins tell of themselves. */
const isTelling = (c: Context<AppEnv>, code: 'not_signed_in' | 'forbidden'): boolean => {
  if (c.req.path.startsWith('/api/auth/')) return false
  return code === 'forbidden' || c.req.header('authorization') !== undefined || !/^(GET|HEAD)$/.test(c.req.method)
}

/** Notes a request that was not allowed, when who asked is known already. */
export const noteRefused =
  ({ note }: Pick<Refusals, 'note'>) =>
  (c: Context<AppEnv>, code: 'not_signed_in' | 'forbidden'): void => {
    const by = c.get('actor') as Actor | undefined
    if (by !== undefined && isTelling(c, code)) note(by, { route: routeOf(c) ?? c.req.method, code })
  }
