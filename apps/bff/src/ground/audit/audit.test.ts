import { AuditList, AuditVerification, type AuditEvent } from '@docket/api-types/audit'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { unwrapDriverError } from '#ground/db/unavailable.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { countingAdminApi } from '#testing/counting-admin-api.ts'
import { signedIn, testActor } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { recordAudit } from './audit.ts'
import { auditEvents } from './audit.table.ts'
import { sealAudit } from './seal.ts'

const service = await countingAdminApi()
const clock = { ms: Date.now() }
const app = await testApp({ upstream: { url: service.url, key: 'prefix_0123456789' }, now: () => clock.ms })
afterAll(async () => {
  await app.close()
  await service.close()
})

const read = async (query = '') => AuditList.parse(await (await app.get(`/api/audit${query}`)).json())
const listActions = ({ items }: AuditList) => items.map(({ action, outcome }) => `${action} ${outcome}`)
const start = (domain: string, headers = {}) =>
  app.post('/api/static-exports', { requestId: crypto.randomUUID(), domain }, headers)

test('starting an export is audited with its actor, network address, target and request ID', async () => {
  const response = await start('docs.example.com')
  expect(response.status).toBe(201)
  const [event] = (await read('?action=static_export.started')).items
  expect(event).toMatchObject({
    actor: { kind: 'person', name: 'The admin' },
    address: '127.0.0.1',
    requestId: response.headers.get('x-request-id'),
    outcome: 'ok',
    target: { type: 'static_export', name: 'docs.example.com' },
  })
})

test('actions of people on records are audited', async () => {
  const key = { projectId: 'docs', id: 'job-1' }
  await app.post('/api/agent-jobs', { jobs: [key] })
  await app.post('/api/agent-jobs/docs/job-1/check')
  await app.delete('/api/agent-jobs/docs/job-1')
  await app.post('/api/agent-jobs/docs/job-1/restore')
  expect(listActions(await read('?q=docs/job-1')).toReversed()).toEqual([
    'agent_job.followed ok',
    'agent_job.checked ok',
    'agent_job.removed ok',
    'agent_job.restored ok',
  ])
})

test('a change whose audit row cannot be written is rolled back, and the service is not called', async () => {
  const calls = service.reads.length
  await app.db.execute(sql`alter table audit_events add constraint nothing_more check (actor_name <> 'The operator')`)
  const operator = await signedIn(app.db, 'operator', { now: clock.ms })
  const response = await start('unheard.example.com', { cookie: operator.cookie })
  expect(response.status).toBe(500)
  expect(await app.db.select().from(staticExports).where(eq(staticExports.domain, 'unheard.example.com'))).toEqual([])
  expect(service.reads.length).toBe(calls)
  await app.db.execute(sql`alter table audit_events drop constraint nothing_more`)
})

test('refusals are audited, and many of them share a few rows', async () => {
  const viewer = await signedIn(app.db, 'viewer', { now: clock.ms })
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => start('docs.example.com', { cookie: viewer.cookie })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]))
  await app.services.refusals.stop()
  const { items } = await read(`?actorId=${viewer.userId}`)
  expect(items.map(({ action, outcome, details }) => ({ action, outcome, ...details }))).toEqual([
    { action: 'request.refused', outcome: 'refused', route: 'POST /api/static-exports', code: 'forbidden', times: 29 },
    { action: 'request.refused', outcome: 'refused', route: 'POST /api/static-exports', code: 'forbidden' },
  ])
})

test('the database refuses to change or delete audit rows', async () => {
  const refusedBy = (statement: ReturnType<typeof sql>) =>
    app.db.execute(statement).then(
      () => 'nobody',
      (error: unknown) => (unwrapDriverError(error) as Error).message,
    )
  const tries = [
    sql`update audit_events set actor_name = 'nobody'`,
    sql`delete from audit_events`,
    sql`truncate audit_events`,
  ]
  for (const statement of tries) expect(await refusedBy(statement)).toBe('audit_events is append-only')
})

test('consecutive audit pages have no gap, and filters narrow them down', async () => {
  for (let n = 0; n < 5; n += 1)
    await recordAudit(app.db, testActor('Pat'), { action: 'user.renamed', at: new Date(clock.ms + n) })
  const all = await read('?q=Pat')
  const first = await read('?q=Pat&limit=2')
  const second = await read(`?q=Pat&limit=50&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items]).toEqual(all.items)
  expect(all.items).toHaveLength(5)
  const since = new Date(clock.ms + 3).toISOString()
  expect((await read(`?q=pat&from=${since}`)).items).toHaveLength(2)
  expect((await read(`?q=pat&to=${since}`)).items).toHaveLength(3)
  expect((await read('?q=%25_')).items).toEqual([])
  expect((await app.get('/api/audit?cursor=x')).status).toBe(400)
})

test('an export contains every matching event, and is audited itself', async () => {
  const at = new Date(clock.ms)
  await app.db.insert(auditEvents).values(
    Array.from({ length: 1_203 }, (_, n) => ({
      at,
      actorKind: 'token' as const,
      actorName: `robot ${n}`,
      action: 'static_export.started' as const,
      outcome: 'ok' as const,
    })),
  )
  const lines = (await (await app.get('/api/audit/export?format=jsonl&q=robot')).text()).trimEnd().split('\n')
  expect(new Set(lines.map((line) => (JSON.parse(line) as AuditEvent).actor.name)).size).toBe(1_203)
  const csv = await app.get('/api/audit/export?format=csv&q=robot')
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="docket-audit-\d{4}-\d\d-\d\d\.csv"$/)
  expect((await csv.text()).trimEnd().split('\r\n')).toHaveLength(1_204)
  expect(listActions(await read('?action=audit.exported'))).toHaveLength(2)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"!A1'])(
  'the name %j is exported so that a spreadsheet does not run it as a formula',
  async (name) => {
    await recordAudit(app.db, testActor(name), { action: 'user.renamed', at: new Date(clock.ms) })
    const csv = await (await app.get('/api/audit/export?format=csv&action=user.renamed')).text()
    const [, , , cell = ''] = csv.split('\r\n')[1]!.split(',')
    expect(cell.replace(/^"/, '')).toMatch(/^'/)
  },
)

test('many refusals from one network do not prevent the audit of refusals from others', async () => {
  const { note } = app.services.refusals
  const refused = { route: 'POST /api/tokens', code: 'not_signed_in' }
  for (let host = 1; host <= 1_000; host += 1)
    note({ ...testActor('Flood'), address: `2001:db8::${host.toString(16)}` }, refused)
  note({ ...testActor('Beside'), address: '192.0.2.7' }, refused)
  await expect.poll(async () => (await read('?q=Beside')).items).toHaveLength(1)
  expect((await read('?q=Flood')).items).toHaveLength(1)
})

test('a failed export cuts the connection, so that a partial file is not taken for a whole one', async () => {
  const reading = vi.spyOn(app.db, 'select').mockImplementation(() => {
    throw new Error('Failed query: select secret')
  })
  const outcome = await app
    .get('/api/audit/export?format=csv', { authorization: undefined })
    .then((response) => response.text())
    .catch(() => 'cut')
  reading.mockRestore()
  expect(outcome).toBe('cut')
})

test('a verification reports how far the audit is intact, and every sealed event has a hash', async () => {
  expect((await read('?limit=1')).items[0]?.hash).toBeNull()
  await sealAudit(app.db)
  const { items } = await read('?limit=1')
  const response = await app.get('/api/audit/verify')
  expect(AuditVerification.parse(await response.json())).toMatchObject({
    through: { auditId: items[0]!.auditId, at: items[0]!.at, hash: items[0]!.hash },
    broken: null,
    unsealed: { rows: 0, oldestAt: null },
    nextCursor: null,
  })
  expect((await app.get('/api/audit/verify?cursor=1-x')).status).toBe(400)
})

test('only admins can read the audit', async () => {
  for (const role of ['viewer', 'operator'] as const) {
    const { cookie } = await signedIn(app.db, role, { now: clock.ms })
    expect((await app.get('/api/audit', { cookie })).status).toBe(403)
    expect((await app.get('/api/audit/export?format=csv', { cookie })).status).toBe(403)
    expect((await app.get('/api/audit/verify', { cookie })).status).toBe(403)
  }
})
