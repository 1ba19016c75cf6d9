import { Hono } from 'hono'
import { endsWithin } from '#ground/clock.ts'
import { isReadOnly } from '#ground/db/unavailable.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'

export const readOnlyAnswer = 'The database is read-only.\n'

/** Concurrent callers share one ping, even one that hangs. Each waits for it at most `pingMs`. */
const sharePing = (ping: () => Promise<void>, pingMs: number) => {
  let underWay: Promise<void> | undefined
  return async (): Promise<void> => {
    underWay ??= ping().finally(() => void (underWay = undefined))
    if (!(await endsWithin(pingMs, underWay)))
      throw new AppError('database_unavailable', 'The database didn’t respond in time.', { retryAfterMs: 5_000 })
  }
}

/**
 * `/livez`: the process answers. `/readyz`: the database takes writes too, and Docket is not shutting down. The Admin API does not count,
 * because a restart of Docket would not repair it. Both respond under any host name, because they reveal nothing else.
 */
export const createHealthRoutes = (options: {
  pingDatabase: () => Promise<void>
  draining: () => boolean
  /** Shorter than the time-out of usual probes. */
  pingMs?: number
}) => {
  const { pingDatabase, draining, pingMs = 2_000 } = options
  const ping = sharePing(pingDatabase, pingMs)
  return new Hono<AppEnv>()
    .get('/livez', (c) => c.text('ok\n'))
    .get('/readyz', async (c) => {
      // This is expected, so no error is logged.
      if (draining()) return c.text('stopping\n', 503, { 'Retry-After': '5' })
      try {
        await ping()
      } catch (error) {
        if (!isReadOnly(error)) throw error
        return c.text(readOnlyAnswer, 503, { 'Retry-After': '5' })
      }
      return c.text('ok\n')
    })
}
