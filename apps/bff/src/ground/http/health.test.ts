import { OpenAPIHono } from '@hono/zod-openapi'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DatabaseReadOnly } from '#ground/db/unavailable.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { createHealthRoutes } from '#ground/http/health.ts'
import { onError } from '#ground/http/on-error.ts'
import { setRequestContext } from '#ground/http/request-context.ts'
import { createLog } from '#ground/log/log.ts'

/** Probes on a database that answers when `answer` is called. */
const probes = () => {
  const lines: string[] = []
  const fail: (error: Error) => void = () => {}
  const state = { pings: 0, draining: false, answer: () => {}, fail }
  const app = new OpenAPIHono<AppEnv>()
  app.onError(onError(() => false))
  app.use(setRequestContext(createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })))
  const pingDatabase = () => {
    state.pings += 1
    return new Promise<void>((resolve, reject) => Object.assign(state, { answer: resolve, fail: reject }))
  }
  app.route('/', createHealthRoutes({ pingDatabase, draining: () => state.draining, pingMs: 30 }))
  return { app, state, lines, get: async (path: string) => (await app.request(path)).status }
}

test('while the database hangs, /readyz fails within its time limit and /livez still succeeds', async () => {
  const { get } = probes()
  expect(await get('/readyz')).toBe(503)
  expect(await get('/livez')).toBe(200)
})

test('concurrent probes share one ping, even while the database hangs, and succeed once it recovers', async () => {
  const { get, state } = probes()
  expect(new Set(await Promise.all(Array.from({ length: 50 }, () => get('/readyz'))))).toEqual(new Set([503]))
  expect(await get('/readyz')).toBe(503)
  expect(state.pings).toBe(1)
  const waiting = get('/readyz')
  state.answer()
  expect(await waiting).toBe(200)
})

test('a stopping process reports unready without a ping or a log line', async () => {
  const { get, state, lines } = probes()
  state.draining = true
  expect(await get('/readyz')).toBe(503)
  expect(await get('/livez')).toBe(200)
  expect([state.pings, lines]).toEqual([0, []])
})

test('while the database is read-only, /readyz says so in one line of text', async () => {
  const { app, state } = probes()
  const waiting = app.request('/readyz')
  state.fail(new DrizzleQueryError('select 1', [], new DatabaseReadOnly()))
  const response = await waiting
  expect([response.status, await response.text()]).toEqual([503, 'The database is read-only.\n'])
  expect(response.headers.get('retry-after')).toBe('5')
})
