import type { AuditVerification } from '@docket/api-types/audit'
import { asc, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { recordAudit } from '#ground/audit/audit.ts'
import { auditSeals } from '#ground/audit/audit.table.ts'
import { purgeAudit } from '#ground/audit/purge.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { sealAudit } from '#ground/audit/seal.ts'
import { verifyAudit } from '#ground/audit/verify.ts'

const dayMs = 86_400_000
const now = Date.now()

const write = (db: TestDatabase['db'], name: string, daysAgo = 0) =>
  recordAudit(db, testActor(name), {
    action: 'user.renamed',
    at: new Date(now - daysAgo * dayMs),
    target: { type: 'user', id: name, name },
    details: { from: 'a', to: name },
  })

const opened: TestDatabase[] = []
afterAll(() => Promise.all(opened.map(({ drop }) => drop())))
const sealed = async (rows = 6, daysAgo = 0) => {
  const database = await testDatabase()
  opened.push(database)
  const { db } = database
  for (let n = 1; n <= rows; n += 1) await write(db, `person ${n}`, daysAgo)
  await sealAudit(db)
  return db
}

const verify = (db: TestDatabase['db']) => verifyAudit(db, { budgetMs: 60_000 })

/** Changes the database as its owner can: without triggers. */
const tamper = (db: TestDatabase['db'], statement: string) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql.raw(statement))
  })

const insertRow = (auditId: number) =>
  `insert into audit_events (audit_id, at, actor_kind, actor_name, action, outcome) overriding system value
    values (${auditId}, now(), 'nobody', 'x', 'user.renamed', 'ok')`
const swap = (table: string, column: string) =>
  `update ${table} a set ${column} = b.${column} from ${table} b where (a.audit_id, b.audit_id) in ((3, 4), (4, 3))`
const deleteWithSeals = (where: string) =>
  `with gone as (delete from audit_events where ${where}) delete from audit_seals where ${where}`

const restore = `
  truncate audit_events, audit_seals;
  insert into audit_events overriding system value select * from saved_events;
  insert into audit_seals select * from saved_seals`
const shared = await sealed()
await shared.execute(
  sql`create table saved_events as table audit_events; create table saved_seals as table audit_seals`,
)

test.for<[what: string, statement: string, auditId: number, problem: string]>([
  ['a changed name', `update audit_events set actor_name = 'Mallory' where audit_id = 3`, 3, 'changed'],
  ['a new value', `update audit_events set request_id = gen_random_uuid() where audit_id = 3`, 3, 'changed'],
  ['a moved time', `update audit_events set at = at + interval '1 ms' where audit_id = 3`, 3, 'changed'],
  ['an impossible time', `update audit_events set at = 'infinity' where audit_id = 3`, 3, 'changed'],
  ['a target without its type', `update audit_events set target_type = null where audit_id = 3`, 3, 'changed'],
  ['changed details', `update audit_events set details = details || '{"to": "b"}' where audit_id = 3`, 3, 'changed'],
  ['more details', `update audit_events set details = details || '{"x": {"y": [1]}}' where audit_id = 3`, 3, 'changed'],
  ['two swapped rows', swap('audit_events', 'details'), 3, 'changed'],
  ['a missing first row', `delete from audit_events where audit_id = 1`, 1, 'removed'],
  ['a missing row', `delete from audit_events where audit_id = 3`, 3, 'removed'],
  ['a missing last row', `delete from audit_events where audit_id = 6`, 6, 'removed'],
  ['a row missing with its hash', deleteWithSeals('audit_id = 3'), 4, 'changed'],
  ['a beginning missing with its hashes', deleteWithSeals('audit_id < 3'), 3, 'changed'],
  ['an inserted row', `${deleteWithSeals('audit_id = 3')}; ${insertRow(3)}`, 3, 'inserted'],
  ['a row inserted before all others', insertRow(-7), -7, 'inserted'],
  ['a changed hash', `update audit_seals set hash = repeat('ab', 32) where audit_id = 3`, 3, 'changed'],
  ['a missing hash', `delete from audit_seals where audit_id = 3`, 3, 'inserted'],
  ['two swapped hashes', swap('audit_seals', 'hash'), 3, 'changed'],
])(
  '%s breaks the chain at the first affected row, even if the database owner did it',
  async ([, statement, auditId, problem]) => {
    expect(await verify(shared)).toMatchObject({ rows: 6, broken: null, through: { auditId: 6 } })
    await tamper(shared, statement)
    expect(await verify(shared)).toMatchObject({ broken: { auditId, problem } })
    await tamper(shared, restore)
  },
)

test('a verification in several steps has the same result as in one step', async () => {
  const db = await sealed(6)
  await db.execute(sql`
    insert into audit_events (at, actor_kind, actor_name, action, outcome)
    select now(), 'token', 'robot', 'static_export.started', 'ok' from generate_series(1, 2500)`)
  await sealAudit(db)
  const steps: AuditVerification[] = []
  for (let cursor: string | undefined; steps.length === 0 || cursor !== undefined;) {
    const step = await verifyAudit(db, { cursor, budgetMs: 0 })
    steps.push(step)
    cursor = step.nextCursor ?? undefined
  }
  expect(steps.map(({ rows }) => rows)).toEqual([1_000, 1_000, 506, 0])
  expect(steps.at(-1)).toEqual({ ...(await verify(db)), rows: 0 })
  await tamper(db, `update audit_seals set hash = repeat('ab', 32) where audit_id = 1000`)
  await expect(verifyAudit(db, { cursor: steps[0]!.nextCursor!, budgetMs: 0 })).rejects.toThrow('Verify it again')
})

test('after each of two runs of the retention, the oldest sealed rows are deleted and the chain still verifies', async () => {
  const db = await sealed(6, 400)
  await write(db, 'young', 300)
  await write(db, 'old by its clock, behind a younger one', 400)
  await sealAudit(db)
  await write(db, 'not sealed', 0)
  expect(await purgeAudit(db, now, 365)).toBe(6)
  expect(await purgeAudit(db, now, 365)).toBe(0)
  await sealAudit(db)
  expect(await verify(db)).toMatchObject({
    rows: 4,
    purged: { throughId: 6, rows: 6, at: new Date(now).toISOString() },
    broken: null,
  })
  expect(await purgeAudit(db, now, 200)).toBe(2)
  expect(await purgeAudit(db, now, -1)).toBe(2)
  // The rows of the last two retentions are not sealed yet.
  expect(await verify(db)).toMatchObject({
    rows: 0,
    purged: { throughId: 10, rows: 2 },
    broken: null,
    unsealed: { rows: 2 },
  })
  await sealAudit(db)
  expect(await verify(db)).toMatchObject({ rows: 2, broken: null, through: { auditId: 12 } })
})

test('unsealed rows are never deleted, however old', async () => {
  const db = await sealed(2, 400)
  await write(db, 'not sealed', 400)
  expect(await purgeAudit(db, now, 365)).toBe(2)
  expect(await purgeAudit(db, now, 365)).toBe(0)
})

test.for<[string, string]>([
  ['without a trace', `delete from audit_events where audit_id <= 3; delete from audit_seals where audit_id < 3`],
  ['behind a retention', `delete from audit_events where audit_id <= 9; delete from audit_seals where audit_id < 9`],
  ['with the row of the retention', `delete from audit_events where action = 'audit.purged'`],
])('rows removed from the beginning %s are not mistaken for a run of the retention', async ([, statement]) => {
  const db = await sealed(6, 400)
  if (statement.includes('<= 3') === false) {
    for (let n = 0; n < 4; n += 1) await write(db, 'young', 1)
    await sealAudit(db)
    await purgeAudit(db, now, 365)
    await sealAudit(db)
    expect(await verify(db)).toMatchObject({ broken: null, purged: { throughId: 6 } })
  }
  await tamper(db, statement)
  expect((await verify(db)).broken).not.toBeNull()
})

test('only the retention can delete hashes of the audit', async () => {
  const db = await sealed()
  for (const statement of ['update audit_seals set hash = hash', 'delete from audit_seals', 'truncate audit_seals'])
    await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: 'audit_seals is append-only' },
    })
  expect(await db.select().from(auditSeals).orderBy(asc(auditSeals.auditId))).toHaveLength(6)
})
