import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import pino from 'pino'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { findSessionById, openSession } from '#people/accounts/sessions.ts'
import { createViolationStore } from '#bundles/artifacts/preview-violations.ts'
import { openPool } from '#ground/db/pool.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { setSecurityHeaders } from '#ground/http/security-headers.ts'
import { startServer } from '#ground/http/server/server.ts'
import { createPreviewHosts } from '#releases/previews/preview-hosts.ts'
import { openPreview } from '#releases/previews/previews.ts'
import type { PreviewsCtx } from '#releases/releases-ctx.ts'
import { servePreviews } from '#releases/previews/serve-previews.ts'

/**
 * A page of Docket that reports the messages its window receives. It has Docket's own policy, so its script is a file.
 */
const page = '<!doctype html><title>Docket</title><script src="/page.js"></script><h1>Docket</h1>'
const pageScript = `window.heard = []; addEventListener('message', (e) => heard.push(e.data))`

/** Docket's headers and previews on a real database, with a page of Docket and an API that only records requests. */
export const startPreviewServer = async (
  databaseUrl: string,
  site: (base: string) => StoredSite,
  ownName: string | null,
) => {
  const pool = openPool({ connectionString: databaseUrl, max: 8 }, { warn: () => {} })
  const db = drizzle(pool)
  const userId = randomUUID()
  const sha256 = createHash('sha256').update('bundle').digest('hex')
  await db.execute(
    sql`insert into users (id, name, email, role) values (${userId}, 'Ada', 'ada@example.com', 'viewer')`,
  )
  await db.execute(
    sql`insert into stored_bundles (sha256, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at) values (${sha256}, '.zip', 1, 1, 1, 1, 1, now())`,
  )
  const { sessionId } = await openSession(db, userId, { now: Date.now(), address: '127.0.0.1', userAgent: undefined })
  const hosts = { publicUrl: null, ownName }
  const places = createPreviewHosts({ hosts, previewUrl: null, secret: randomBytes(32).toString('hex') })
  let base = ''
  const log = pino({ level: 'silent' })
  const previews: PreviewsCtx = {
    db,
    hosts: places,
    artifacts: { find: async () => ({ sha256 }), open: () => site(base) },
    violations: createViolationStore(db),
    recount: async () => {},
    findPerson: async (id) => (await findSessionById(db, id, Date.now()))?.person ?? null,
    ensureInScope: async () => {},
    now: Date.now,
    log,
    events: { emit: async () => {}, on: () => {}, after: () => {} },
  }
  const asked: { path: string; cookie: string | undefined }[] = []
  const app = new Hono<AppEnv>()
  app.use(setSecurityHeaders(hosts, places.frameSources))
  app.all('*', (c) => {
    const { path } = c.req
    asked.push({ path, cookie: c.req.header('cookie') })
    if (path === '/page.js') return c.body(pageScript, 200, { 'Content-Type': 'text/javascript' })
    if (path === '/' || path === '/before')
      return c.html(page, 200, { 'Set-Cookie': 'docket=secret; HttpOnly; SameSite=Strict; Path=/' })
    return c.text('the API')
  })
  const previewCookies: (string | undefined)[] = []
  const serve = servePreviews(previews)
  const server = await startServer({
    fetch: app.fetch,
    first: (request, response) => {
      const served = serve(request, response)
      if (served !== false) previewCookies.push(request.headers.cookie)
      return served
    },
    host: '127.0.0.1',
    port: 0,
    both: true,
    log,
  })
  const host = `${ownName ?? '127.0.0.1'}:${server.port}`
  return {
    url: `http://${host}`,
    /** Requests that Docket itself received. */
    asked,
    previewCookies,
    open: async () => {
      const by = { kind: 'person' as const, id: userId, name: 'Ada', address: '127.0.0.1', requestId: null }
      const preview = await openPreview(previews, randomUUID(), { path: '/', sessionId, host, by })
      base = new URL(preview.base!, `http://${host}`).href
      return preview
    },
    endSession: () => db.execute(sql`delete from sessions where id = ${sessionId}`),
    violations: async () => createViolationStore(db).list(sha256),
    close: async () => {
      await server.stop(0)
      await pool.end()
    },
  }
}
