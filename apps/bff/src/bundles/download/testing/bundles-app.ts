import { createHash } from 'node:crypto'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { OpenAPIHono } from '@hono/zod-openapi'
import { onTestFinished } from 'vitest'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import { createBundleFetch } from '#bundles/download/storage/bundle-fetch.ts'
import { bundleRoutes } from '#bundles/download/bundles.routes.ts'
import { createBundleService, type BundleRecords } from '#bundles/download/bundles.service.ts'
import type { BundleRecord } from '#records/static-exports/static-exports.artifacts.ts'
import type { StoredBundle } from '#bundles/download/stored-bundles.ts'
import { createDownloadStreams } from '#bundles/download/send-download.ts'
import { storageStandIn } from '#bundles/download/testing/storage.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { onError } from '#ground/http/on-error.ts'
import { startServer } from '#ground/http/server/server.ts'
import { createLog } from '#ground/log/log.ts'
import { testActor } from '#testing/people.ts'
import { toPerson, toRole } from '#testing/site-kit.ts'

/** Id of a completed export. */
export const exportId = '7d7f2f4e-55c5-4f4b-9f2f-0b9bb1a5c111'
/** Id of an export that still runs. */
export const runningId = '7d7f2f4e-55c5-4f4b-9f2f-0b9bb1a5c222'

/** Hex SHA-256. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Serves bundles through a real server, against an Admin API and an object storage over real HTTP. The exports are two records in memory;
 * `recorded` contains what was recorded about the completed one. Tests move `clock` by hand.
 */
export const bundlesApp = async ({
  delivery = 'stream' as 'stream' | 'redirect',
  hosts = [] as string[],
  size = 3_000_000,
  pausesMs = undefined as readonly number[] | undefined,
  limits = {} as { maxDownloads?: number; stalledMs?: number },
} = {}) => {
  const storage = await storageStandIn(size)
  const adminApi = httpAdminApi({ baseUrl: storage.url, key: () => 'test_key_0123456789' })
  const clock = { ms: Date.now() }
  const lines: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  const recorded: { sizeBytes?: number; sha256?: string } = {}
  const record: BundleRecord = {
    exportId,
    jobId: 'job-1',
    name: 'docs.example.com-2026-05-01',
    sizeBytes: null,
  }
  const audited: string[] = []
  const used: string[] = []
  const own: { stored: StoredBundle | null; refusal: string | null } = { stored: null, refusal: null }
  const records: BundleRecords & { findConnection: () => Promise<string> } = {
    findConnection: async () => 'connection',
    findBundle: async (id) => {
      if (id === runningId) throw new AppError('conflict', 'Only a completed export has a bundle.', { exportId: id })
      if (id !== exportId) throw new AppError('not_found', 'This export isn’t on the list.')
      return { ...record, sizeBytes: recorded.sizeBytes ?? null }
    },
    recordDownload: async (_, { how }) => void audited.push(how),
    recordBundle: async (_, learnt, { kind }) => {
      Object.assign(recorded, learnt)
      used.push(kind)
    },
  }
  const service = createBundleService({
    adminApi,
    delivery,
    pausesMs,
    now: () => clock.ms,
    fetch: createBundleFetch({
      adminOrigin: adminApi.origin,
      hosts,
      timeouts: { connectMs: 2000, headersMs: 2000, bodyMs: 2000 },
    }),
    records,
  })
  const app = new OpenAPIHono<AppEnv>()
  app.use(async (c, next) => {
    c.set('requestId', 'test')
    c.set('log', log)
    c.set('identity', toPerson(toRole('operator')).identity)
    c.set('actor', testActor())
    await next()
    c.header('X-Late', 'set after the answer')
  })
  app.onError(onError(() => false))
  app.route(
    '/',
    bundleRoutes(
      {
        findStored: async () => own.stored,
        findRefusal: async () => own.refusal,
        findRight: async () => null,
        records,
        connections: { open: () => service },
      },
      createDownloadStreams(limits),
    ),
  )
  const server = await startServer({ fetch: app.fetch, host: '127.0.0.1', port: 0, log })
  const base = `http://127.0.0.1:${server.port}/api/static-exports`

  onTestFinished(async () => {
    await server.stop(0)
    await Promise.all([service.close(), adminApi.close()])
    await storage.close()
  })
  const request = (path: string, init: RequestInit = {}) => fetch(`${base}/${path}`, { redirect: 'manual', ...init })
  return {
    storage,
    service,
    /** The record of the completed export, and Docket's own copy of its bundle. */
    record,
    own,
    records,
    /** How downloads were audited, and the uses recorded in the history. */
    audited,
    used,
    mood: storage.mood,
    clock,
    recorded,
    request,
    port: server.port,
    logged: () => lines.join(''),
    download: (headers: Record<string, string> = {}, init: RequestInit = {}) =>
      request(`${exportId}/download`, { headers, ...init }),
    post: (path: string) => request(`${exportId}/${path}`, { method: 'POST' }),
    refused: async (response: Response) => ApiErrorBody.parse(await response.json()),
  }
}
