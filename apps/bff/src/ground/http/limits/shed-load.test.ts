import { ApiErrorBody } from '@docket/api-types/api-error'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type LoopDelay, createShedding } from '#ground/http/limits/shed-load.ts'
import { startServer } from '#ground/http/server/server.ts'
import { createDocketMetrics } from '#process/metrics/metrics.ts'
import { createLog } from '#ground/log/log.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'
import { Hono } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'

const silent = createLog({ level: 'silent', destination: { write: () => {} } })

/** Docket whose list of exports hangs until `release` is called. */
const hangingApp = async (options: TestAppOptions) => {
  const app = await testApp(options)
  onTestFinished(app.close)
  const locker = new Client({ connectionString: app.databaseUrl })
  await locker.connect()
  await locker.query('begin; lock table static_exports in access exclusive mode')
  const hangs = async () => {
    const { rows } = await app.probes.execute(sql`select from pg_stat_activity where wait_event_type = 'Lock'`)
    return rows.length
  }
  return { ...app, hangs, release: () => locker.query('commit').then(() => locker.end()) }
}

test('over the limit, Docket answers busy before doing any work, while probes and metrics still succeed', async () => {
  const app = await hangingApp({ shed: { max: 4, maxWhenLate: 4, maxWaiting: 100 } })
  const pending = Array.from({ length: 4 }, () => app.get('/api/static-exports'))
  await expect.poll(() => app.hangs()).toBeGreaterThan(0)
  const refused = await Promise.all(Array.from({ length: 200 }, () => app.get('/api/agent-jobs')))
  for (const answer of refused) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(ApiErrorBody.parse(await answer.json()).code).toBe('busy')
  }
  const load = app.shed.load()
  expect(load).toEqual({ requests: 4, downloads: 0, shed: 200 })
  for (const path of ['/livez', '/readyz']) expect((await app.get(path)).status).toBe(200)
  const source = {
    version: '0',
    now: Date.now,
    read: () => Promise.reject(new Error()),
    load: app.shed.load,
    disks: () => [],
  }
  const metrics = createDocketMetrics({ ...source, pool: () => ({ total: 1, idle: 0, waiting: 0 }) })
  expect((await metrics.scrape()).text).toContain('docket_http_requests_shed 200')
  await app.release()
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await app.get('/api/agent-jobs')).status).toBe(200)
  // One line for the whole episode, and one for its end.
  expect(app.logged().match(/turning requests away/g)).toHaveLength(1)
  expect(app.logged()).toContain('"turnedAway":200')
})

/**
 * A server whose `/api/slow` and `/api/download` hang until `release`, under a limit of two, or of one while it is
 * late.
 */
const twoAtOnce = async () => {
  const state = { late: false, waiting: 0, release: () => {} }
  const delay: LoopDelay = { begin: () => () => {}, late: () => state.late }
  const limits = { max: 2, maxWhenLate: 1, maxWaiting: 10 }
  const { middleware, load } = createShedding(silent, { limits, delay, waiting: () => state.waiting })
  const pending = new Promise<void>((resolve) => (state.release = resolve))
  const app = new Hono<AppEnv>()
  app.use((c, next) => {
    c.set('requestId', '00000000-0000-4000-8000-000000000000')
    return next()
  })
  app.use('/api/*', middleware)
  app.get('/api/:what{slow|download}', async (c) => {
    await pending
    return c.text('done')
  })
  const server = await startServer({ fetch: app.fetch, host: '127.0.0.1', port: 0, log: silent })
  onTestFinished(() => server.stop(0))
  return { state, load, ask: (what: string) => fetch(`${server.address}/api/${what}`) }
}

test('downloads are counted but never use up the request limit', async () => {
  const { ask, load, state } = await twoAtOnce()
  const pending = [ask('download'), ask('download'), ask('download'), ask('slow'), ask('slow')]
  await expect.poll(load).toEqual({ requests: 2, downloads: 3, shed: 0 })
  expect((await ask('slow')).status).toBe(503)
  state.release()
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(load()).toEqual({ requests: 0, downloads: 0, shed: 1 })
})

test('while too many queries wait for a connection, the limit is lower, and accepted requests succeed', async () => {
  const { ask, load, state } = await twoAtOnce()
  state.waiting = 11
  const pending = [ask('slow')]
  await expect.poll(() => load().requests).toBe(1)
  expect((await ask('slow')).status).toBe(503)
  state.waiting = 10
  pending.push(ask('slow'))
  await expect.poll(() => load().requests).toBe(2)
  state.release()
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200])
})

test('a process with a delayed event loop has a lower limit', async () => {
  const { ask, load, state } = await twoAtOnce()
  state.late = true
  const pending = ask('slow')
  await expect.poll(() => load().requests).toBe(1)
  expect((await ask('slow')).status).toBe(503)
  state.release()
  expect((await pending).status).toBe(200)
  expect((await ask('slow')).status).toBe(200)
})
