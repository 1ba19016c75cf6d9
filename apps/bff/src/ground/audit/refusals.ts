import type { Context } from 'hono'
import type { Database } from '#ground/db/database.ts'
import { findRoute } from '#ground/http/access/access.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import type { Log } from '#ground/log/log.ts'
import { recordAudit } from './audit.ts'
import type { Actor } from '#ground/identity/identity.ts'

const togetherMs = 60_000
/** Limit for different subjects. The first refusal of many is audited in any case. */
const maxCounts = 1_000

type Count = { by: Actor; details: { route: string; code: string }; times: number }

/**
 * Audits refusals: the first at once, and repetitions within a minute in one row, so that many refusals make few rows. Never rejects or
 * delays a request.
 */
export const createRefusalAudit = (deps: { db: Database; now: () => number; log: Log }) => {
  const { db, now, log } = deps
  const counts = new Map<string, Count>()
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
    for (const { by, details, times } of counts.values()) if (times > 0) write(by, { ...details, times })
    counts.clear()
  }

  return {
    /** `route` is a pattern, never the requested address. */
    note: (by: Actor, { route, code }: { route: string; code: string }): void => {
      const details = { route, code }
      // Limits by network, because separate addresses would fill the table and leave no room for others.
      const key = JSON.stringify([by.kind, by.id, by.address && toNetwork(by.address), details])
      const known = counts.get(key)
      if (known !== undefined) return void (known.times += 1)
      if (counts.size >= maxCounts) return
      counts.set(key, { by, details, times: 0 })
      timer ??= setTimeout(flush, togetherMs).unref()
      write(by, details)
    },
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      flush()
      await Promise.all(underWay)
    },
  }
}

export type Refusals = ReturnType<typeof createRefusalAudit>

/** True for refusals to audit: not for polls of an open page whose session ended, and not for sign-ins, which are audited elsewhere. */
const isWorthAuditing = (c: Context<AppEnv>, code: 'not_signed_in' | 'forbidden'): boolean => {
  if (c.req.path.startsWith('/api/auth/')) return false
  return code === 'forbidden' || c.req.header('authorization') !== undefined || !/^(GET|HEAD)$/.test(c.req.method)
}

export const noteRefused =
  ({ note }: Pick<Refusals, 'note'>) =>
  (c: Context<AppEnv>, code: 'not_signed_in' | 'forbidden'): void => {
    const by = c.get('actor') as Actor | undefined
    if (by !== undefined && isWorthAuditing(c, code)) note(by, { route: findRoute(c) ?? c.req.method, code })
  }
