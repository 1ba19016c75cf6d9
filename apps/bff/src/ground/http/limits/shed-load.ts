import { ApiErrorBody } from '@docket/api-types/api-error'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { statusByCode } from '#ground/http/on-error.ts'
import type { Log } from '#ground/log/log.ts'

const everyMs = 100
const lateMs = 500
/**
 * Late measurements in a row that count as overload. One long pause (a large response, a garbage collection) does not.
 */
const lateLooks = 5

/** Measures how late a timer comes, only while there is work: an idle process has no timer for it. */
const measureLoopDelay = () => {
  let working = 0
  let inARow = 0
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    const due = performance.now() + everyMs
    timer = setTimeout(() => {
      inARow = performance.now() - due > lateMs ? inARow + 1 : 0
      look()
    }, everyMs)
    timer.unref()
  }

  return {
    /** Call it when work begins, and call the returned function when that work ends. Measures only while there is work. */
    begin: () => {
      working += 1
      if (working === 1) look()
      return () => {
        working -= 1
        if (working > 0) return
        clearTimeout(timer)
        inARow = 0
      }
    },
    late: () => inARow >= lateLooks,
  }
}

export type LoopDelay = ReturnType<typeof measureLoopDelay>

/**
 * Maximum number of concurrent requests: in general, and while the process is overloaded or more than `maxWaiting` queries wait for a
 * database connection.
 */
export type ShedLimits = { max: number; maxWhenLate: number; maxWaiting: number }

export type Load = { requests: number; downloads: number; shed: number }

// A request behind this many waiting queries is still served before it times out, even on a slow machine.
const defaults: ShedLimits = { max: 1024, maxWhenLate: 128, maxWaiting: 512 }

/** Longer than a burst of requests, so that retries come after it. Seconds. */
const retryAfterSeconds = 2

const isDownload = (path: string) => /^\/bundles\/|\/(?:download(?:\/zip)?|artifact\/file)$/.test(path)

/**
 * For `/api`. Counts downloads but never refuses them; they have their own limit. Logs one line per episode, however
 * many requests it refuses. `waiting` is the number of queries that wait for a database connection.
 */
export const createShedding = (
  log: Log,
  options: { limits?: ShedLimits | undefined; delay?: LoopDelay; waiting?: () => number } = {},
) => {
  const { limits = defaults, delay = measureLoopDelay(), waiting = () => 0 } = options
  const { max, maxWhenLate, maxWaiting } = limits
  const load: Load = { requests: 0, downloads: 0, shed: 0 }
  let shedBefore: number | null = null

  const room = () => (delay.late() || waiting() > maxWaiting ? maxWhenLate : max)

  const middleware = createMiddleware<AppEnv>(async (c, next) => {
    if (isDownload(c.req.path)) {
      load.downloads += 1
      await next().finally(() => void (load.downloads -= 1))
      return undefined
    }
    if (load.requests >= room()) {
      if (shedBefore === null)
        log.warn({ requests: load.requests, late: delay.late(), waiting: waiting() }, 'too busy: turning requests away')
      shedBefore ??= load.shed
      load.shed += 1
      c.header('Retry-After', String(retryAfterSeconds))
      const message = 'Docket is very busy right now. Nothing changed. Try again in a moment.'
      return c.json(ApiErrorBody.parse({ code: 'busy', message, requestId: c.var.requestId }), statusByCode.busy)
    }
    load.requests += 1
    const end = delay.begin()
    await next().finally(() => {
      load.requests -= 1
      end()
      if (shedBefore === null || load.requests > room() / 2) return
      log.info({ turnedAway: load.shed - shedBefore }, 'answering again')
      shedBefore = null
    })
    return undefined
  })
  return { middleware, load: () => ({ ...load }) }
}

/** Refuses requests before doing any work, when too many are in progress. */
export type Shedding = ReturnType<typeof createShedding>
