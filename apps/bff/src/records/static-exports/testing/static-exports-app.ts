import { randomUUID } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import {
  StartedStaticExport,
  StaticExport,
  StaticExportChecks,
  StaticExportList,
} from '@docket/api-types/static-exports'
import { OpenAPIHono } from '@hono/zod-openapi'
import pino from 'pino'
import { expect, onTestFinished } from 'vitest'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import { understandAnswers } from '#service/connections/status-meanings.ts'
import { connections } from '#ground/db/connections.table.ts'
import { createEventBus } from '#ground/events.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { onError } from '#ground/http/on-error.ts'
import { createConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { staticExportRoutes } from '#records/static-exports/static-exports.routes.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { exportDurations } from '#records/static-exports/static-exports.history.ts'
import { openExportsAt } from '#records/static-exports/static-exports.watcher.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { onlyConnection, testConnectionId } from '#testing/connection.ts'
import { staticExportStandIn } from '#records/static-exports/testing/stand-in.ts'
import { testDatabase } from '#testing/database.ts'
import { toPerson, toRole } from '#testing/site-kit.ts'
import { testActor } from '#testing/people.ts'
import { createRateLimit } from '#service/rate-limit/limiter.ts'
import { leaseDuration, polling } from '#service/polling/polling.ts'
import { readDemand } from '#service/polling/demand.ts'
import { schedule } from '#service/polling/schedule.ts'

const log = pino({ level: 'silent' })
const base = '/api/static-exports'

/**
 * Static exports through HTTP on a real database, against a stand-in of the service, with a clock that moves by hand.
 * `process()` starts another Docket on the same database. Nothing runs by itself: `pass()` is one pass of the watcher
 * with all its checks.
 */
export const staticExportsApp = async ({
  alone = false,
  embedded = false,
  baseUrl = (url) => url,
}: { alone?: boolean; embedded?: boolean; baseUrl?: (standIn: string) => string } = {}) => {
  const [{ db, drop }, upstream] = await Promise.all([testDatabase(), staticExportStandIn()])
  await db.update(connections).set({ goneAt: null })
  const client = httpAdminApi({ baseUrl: baseUrl(upstream.url), key: () => 'test_key_0123456789' })
  const adminApi = understandAnswers(client, { db, row: { connectionId: testConnectionId, progressScale: null } })
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }

  const events = createEventBus({ wake: () => {} })
  const completed: string[] = []
  events.on('export.completed', async (_, { exportId }) => void completed.push(exportId))

  const now = () => clock.ms
  const shortest = { floorMs: 1000 }
  const plan = () =>
    schedule({
      callsPerHour: 3600,
      ...shortest,
      demand: (nowMs) => readDemand(db, [staticExports], { connectionId: testConnectionId, nowMs, ...shortest }),
      now,
    })

  const process = () => {
    const limits = createRateLimit({
      db,
      connectionId: testConnectionId,
      hasReadKey: false,
      callsPerHour: 3600,
      leaseMs: leaseDuration(30_000),
      now,
      log,
    })
    onTestFinished(limits.close)
    const openExports = () =>
      openExportsAt({
        events,
        now,
        db,
        adminApi,
        polling: polling({
          connectionId: testConnectionId,
          now,
          limiter: limits.limiters.static_exports,
          schedule: plan(),
          embedded,
          alone,
          callTimeoutMs: 30_000,
        }),
        log,
      })
    const here = openExports()
    const ctx: ExportsCtx = {
      db,
      now,
      log,
      events,
      connections: { ...onlyConnection({ exports: here }), isEmbedded: () => embedded },
      retentionDays: { staticExports: 365, agentJobs: 365 },
      readArtifacts: () => Promise.resolve(new Map()),
      exportDurations: exportDurations(db, now),
    }
    const pass = async () => {
      const { watcher, starts } = openExports()
      watcher.start()
      await watcher.stop()
      await starts.settled()
    }
    const app = new OpenAPIHono<AppEnv>()
    app.use(async (c, next) => {
      c.set('requestId', 'test')
      c.set('log', log)
      c.set('identity', toPerson(toRole('operator')).identity)
      c.set('actor', testActor())
      await next()
    })
    app.onError(onError(isDatabaseUnavailable))
    app.route(
      '/',
      staticExportRoutes(ctx, createConditionalGet(), () => {}),
    )
    const request = async (method: string, path = '', body?: unknown, headers: Record<string, string> = {}) =>
      app.request(`${base}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const start = (more: object = {}) =>
      request('POST', '', { requestId: randomUUID(), domain: 'docs.example.com', ...more })
    const read = async (exportId: string) => StaticExport.parse(await (await request('GET', `/${exportId}`)).json())
    return {
      ctx,
      here,
      request,
      start,
      /** Starts one that must be recorded; answers with it. */
      started: async (more: object = {}) => StartedStaticExport.parse(await (await start(more)).json()).export,
      act: async (exportId: string, action: string, body?: unknown) =>
        StaticExport.parse(await (await request('POST', `/${exportId}/${action}`, body)).json()),
      refused: async (response: Response | Promise<Response>) => {
        const { status, headers } = await response
        const { code, message, exportId, field } = ApiErrorBody.parse(await (await response).json())
        return { status, code, message, exportId, field, retryAfter: headers.get('retry-after') }
      },
      read,
      list: async (query = '') => StaticExportList.parse(await (await request('GET', query)).json()),
      checks: async (query = '') =>
        StaticExportChecks.parse(await (await request('GET', `/checks${query}`)).json()).checks,
      /** One pass of the watcher of this process. A watcher runs once, so each pass but the first is by a new one. */
      pass,
      /** Moves the clock to the next check of an export and lets a watcher run. Answers with the export. */
      nextCheck: async (exportId: string) => {
        const { nextCheckAt } = await read(exportId)
        if (nextCheckAt !== null) clock.ms = Math.max(clock.ms, Date.parse(nextCheckAt))
        await pass()
        return read(exportId)
      },
    }
  }

  onTestFinished(async () => {
    await Promise.all([client.close(), upstream.close()])
    await drop()
  })
  /** Waits until the database has nothing to do: then requests that share a read all wait for it. */
  const databaseIsIdle = () => expect.poll(() => db.$client.totalCount - db.$client.idleCount).toBe(0)
  return { db, databaseIsIdle, upstream, clock, events, completed, process, ...process() }
}
