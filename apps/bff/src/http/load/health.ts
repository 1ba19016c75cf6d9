import { Hono } from 'hono'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#errors/app-error.ts'

const tooSlow = () =>
  new AppError('database_unavailable', 'The database does not answer in time.', { retryAfterMs: 5_000 })

/** Many callers at once share one ping, also one that hangs; each waits for it no longer than `pingMs`. */
const sharedPing = (ping: () => Promise<void>, pingMs: number) => {
  let underWay: Promise<void> | undefined
  return async (): Promise<void> => {
    underWay ??= ping().finally(() => void (underWay = undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow()), pingMs)
    })
    await Promise.race([underWay, late]).finally(() => clearTimeout(timer))
  }
}

/**
 * `/livez`: the process answers. `/readyz`: the database answers too, and Docket is not about to stop; whether the Admin API
 * answers is on the page, because taking Docket away would not bring it back. They tell nothing else, so they answer under any
 * host name.
 */
export const health = (options: {
  pingDatabase: () => Promise<void>
  /** True once the process was asked to stop. */
  draining: () => boolean
  /** Below the time limits of usual probes. */
  pingMs?: number
}) => {
  const { pingDatabase, draining, pingMs = 2_000 } = options
  const ping = sharedPing(pingDatabase, pingMs)
  return new Hono<AppEnv>()
    .get('/livez', (c) => c.text('ok\n'))
    .get('/readyz', async (c) => {
      // Said on purpose, so it is no failure to log.
      if (draining()) return c.text('stopping\n', 503)
      await ping()
      return c.text('ok\n')
    })
}
