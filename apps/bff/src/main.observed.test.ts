import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { auditSeals } from '#ground/audit/audit.table.ts'
import { firstHash, hashLink } from '#ground/audit/seal.ts'
import { countingAdminApi } from '#testing/counting-admin-api.ts'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'
import { standInServer } from '#testing/stand-in-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-observed-'))
const database = await testDatabase()
const service = await countingAdminApi()
const started: ReturnType<typeof startDocket>[] = []
const docket = (variables: Record<string, string>) => {
  const server = startDocket({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    ADMIN_API_URL: `${service.url}/v1/`,
    ADMIN_API_KEY: 'prefix_canary0123456789',
    ...variables,
  })
  started.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill('SIGKILL')))
})
afterAll(() => Promise.all([service.close(), database.drop(), rm(folder, { recursive: true })]))

/** A port that nothing listens on. */
const freePort = async () => {
  const { url, close } = await standInServer(() => {})
  await close()
  return new URL(url).port
}

const Line = z.object({ level: z.string(), time: z.iso.datetime(), msg: z.string() })
const Answered = Line.extend({
  requestId: z.uuid(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  ms: z.int(),
})
const Called = Line.extend({ operation: z.string(), outcome: z.string(), key: z.enum(['main', 'read']), ms: z.int() })

test('metrics and log contain no key or personal data, and after SIGTERM Docket is unready at once but still answers requests', async () => {
  const metricsPort = await freePort()
  await database.db
    .execute(sql`insert into api_tokens (name, token_hash, hint, scope, created_by, created_by_name, created_at)
    values ('orphan', 'canary', 'abcd', 'operate', gen_random_uuid(), 'Canary', now())`)
  const server = docket({ METRICS_PORT: metricsPort, LOG_LEVEL: 'debug', SHUTDOWN_DRAIN_MS: '60000' })
  const address = await server.ready
  const response = await server.fetch('/api/static-exports', {
    method: 'POST',
    body: JSON.stringify({ requestId: crypto.randomUUID(), domain: 'canary.example.com' }),
  })
  expect(response.status).toBe(201)
  await server.fetch(`/api/static-exports/${crypto.randomUUID()}?token=canary-in-the-query`)
  await fetch(`${address}/canary-in-the-path`, { headers: { accept: 'text/html' } })

  const scrape = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  const text = await scrape.text()
  for (const line of [
    'docket_http_requests_total{method="POST",route="/api/static-exports",status="2xx"} 1',
    'docket_http_requests_total{method="GET",route="/api/static-exports/:exportId",status="4xx"} 1',
    `docket_upstream_calls_total{connection="${new URL(service.url).host}",operation="startStaticExport",outcome="ok"} 1`,
    `docket_active_records{connection="${new URL(service.url).host}",kind="static_exports"} 1`,
    'docket_database_up 1',
    `docket_upstream_held_back{connection="${new URL(service.url).host}",calls="static_exports"} 0`,
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toMatch(/^docket_call_budget_left\{connection="[^"]+"\} \d+$/m)
  expect(text).not.toMatch(/canary|example\.com/)
  expect(await (await fetch(`${address}/metrics`)).text()).not.toContain('docket_')

  process.kill(server.pid, 'SIGTERM')
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503)
  const answer = await server.fetch('/api/static-exports')
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect((await fetch(`${address}/livez`)).status).toBe(200)

  const { stderr } = await server.kill('SIGKILL')
  expect(stderr).not.toMatch(/canary0123456789|canary-in-the-query/)
  const lines = stderr.trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as { msg?: string })
  for (const line of parsed) expect(() => Line.parse(line)).not.toThrow()
  expect(stderr).toContain('"tokens":1,"msg":"API tokens are paused')
  expect(parsed.map(({ msg }) => msg)).toContain(
    `ADMIN_API_URL ends in /v1, which Docket adds by itself. It uses ${service.url} instead.`,
  )
  const answered = parsed.filter(({ msg }) => msg === 'answered').map((line) => Answered.parse(line))
  expect(answered.map(({ method, status }) => [method, status])).toContainEqual(['POST', 201])
  const called = parsed.filter(({ msg }) => msg === 'called the Admin API').map((line) => Called.parse(line))
  expect(called.map(({ operation, outcome }) => [operation, outcome])).toContainEqual(['startStaticExport', 'ok'])
})

const AuditLine = z.object({ audit: z.looseObject({ auditId: z.int(), action: z.string(), hash: z.string() }) })

test('with AUDIT_LOG=stdout, two replicas print every row of the audit, each in the chain of hashes', async () => {
  const own = await testDatabase()
  const servers = ['a', 'b'].map((name) =>
    docket({ DATABASE_URL: own.url, DATA_DIR: join(folder, name), AUDIT_LOG: 'stdout' }),
  )
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')))
    await own.drop()
  })
  await Promise.all(servers.map((server) => server.ready))
  for (const [index, server] of [...servers, ...servers].entries())
    await server.fetch('/api/static-exports', {
      method: 'POST',
      body: JSON.stringify({ requestId: crypto.randomUUID(), domain: `printed-${index}.example.com` }),
    })
  const count = sql`select count(*)::int as rows, count(hash)::int as sealed from audit_events left join audit_seals using (audit_id)`
  await expect
    .poll(
      async () => {
        const { rows, sealed } = (await own.db.execute<{ rows: number; sealed: number }>(count)).rows[0]!
        return rows - sealed
      },
      { timeout: 60_000 },
    )
    .toBe(0)
  const outputs = await Promise.all(servers.map((server) => server.kill('SIGTERM')))
  const seals = await own.db.select().from(auditSeals).orderBy(asc(auditSeals.auditId))
  const printed = outputs
    .flatMap(({ stdout }) => stdout.split('\n').filter((line) => line.startsWith('{')))
    .map((line) => AuditLine.parse(JSON.parse(line)).audit)
    .toSorted((a, b) => a.auditId - b.auditId)
  expect(printed.map(({ auditId, hash }) => ({ auditId, hash }))).toEqual(seals)
  expect(printed.filter(({ action }) => action === 'static_export.started')).toHaveLength(4)
  let head = firstHash
  for (const { hash, ...event } of printed) {
    expect(hash).toBe(hashLink(head, event))
    head = hash
  }
})
