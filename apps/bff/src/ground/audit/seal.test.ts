import { setTimeout as delay } from 'node:timers/promises'
import { asc, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { recordAudit } from '#ground/audit/audit.ts'
import { auditEvents, auditSeals } from '#ground/audit/audit.table.ts'
import type { Database } from '#ground/db/database.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { findFinalId, lockChain, sealAudit } from '#ground/audit/seal.ts'
import { verifyAudit } from '#ground/audit/verify.ts'

const impatient = { waitMs: 100 }
const at = new Date('2026-05-01T10:00:00.123Z')

const database = async () => {
  const opened = await testDatabase()
  onTestFinished(opened.drop)
  return opened
}

const write = (db: TestDatabase['db'], name: string) =>
  recordAudit(db, testActor(name), { action: 'user.renamed', at, details: { to: name } })

const connect = async ({ url }: TestDatabase) => {
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const insert = `insert into audit_events (at, actor_kind, actor_name, action, outcome) values (now(), 'person', $1, 'user.renamed', 'ok')`

const sealedIds = async ({ db }: TestDatabase) =>
  (await db.select().from(auditSeals).orderBy(asc(auditSeals.auditId))).map(({ auditId }) => auditId)

test('no row is sealed while a lower id may still be committed', async () => {
  const opened = await database()
  await write(opened.db, 'before')
  const slow = await connect(opened)
  await slow.query('begin')
  await slow.query(insert, ['slow'])
  await write(opened.db, 'after')
  for (let pass = 0; pass < 3; pass += 1) expect(await sealAudit(opened.db, impatient)).toBeUndefined()
  await slow.query('commit')
  expect((await sealAudit(opened.db, impatient))?.auditId).toBe(3)
  expect(await sealedIds(opened)).toEqual([1, 2, 3])
  expect(await verifyAudit(opened.db, { budgetMs: 60_000 })).toMatchObject({ rows: 3, broken: null })
})

test('an id taken while the sealer reads the open transactions is not final', async () => {
  const opened = await database()
  await write(opened.db, 'before')
  const slow = await connect(opened)
  const meanwhile = async () => {
    await slow.query('begin')
    await slow.query(insert, ['slow'])
    await write(opened.db, 'after')
  }
  let looks = 0
  const execute: Database['execute'] = (async (query: Parameters<Database['execute']>[0]) => {
    const found = await opened.db.execute(query)
    looks += 1
    if (looks === 1) await meanwhile()
    return found
  }) as never
  expect(await findFinalId({ execute }, 100)).toBeNull()
})

test('audit readers and writers to other tables do not delay sealing, and sealing delays no writer', async () => {
  const opened = await database()
  await write(opened.db, 'first')
  const reader = await connect(opened)
  await reader.query('begin isolation level repeatable read')
  await reader.query('select * from audit_events')
  const elsewhere = await connect(opened)
  await elsewhere.query('begin')
  await elsewhere.query('delete from one_time_links')
  expect((await sealAudit(opened.db, impatient))?.auditId).toBe(1)
  await opened.db.transaction(async (sealer) => {
    await lockChain(sealer)
    await write(opened.db, 'while it is sealed')
  })
  expect((await sealAudit(opened.db, impatient))?.auditId).toBe(2)
})

test('with concurrent writers, rollbacks and sealers, every committed row is sealed once, in the order of ids', async () => {
  const opened = await database()
  const clients = await Promise.all(Array.from({ length: 12 }, () => connect(opened)))
  let writing = true
  const isSealedInOrder = async () => {
    const { rows } = await opened.db.execute<{ wrong: string }>(sql`
      select count(*) as wrong from ${auditEvents} left join ${auditSeals} using (audit_id)
      where hash is null and audit_id < (select max(audit_id) from ${auditSeals})`)
    expect(rows[0]?.wrong).toBe('0')
  }
  const sealer = async () => {
    while (writing) {
      await sealAudit(opened.db)
      await isSealedInOrder()
    }
  }
  const writer = async (client: Client, seed: number) => {
    for (let n = 0; n < 25; n += 1) {
      await client.query('begin')
      await client.query(insert, [`${seed}/${n}`])
      // Longer than a sealer pauses between two looks at the open transactions.
      if ((seed + n) % 5 === 0) await delay(60 + ((seed * n) % 140))
      await client.query((seed * 7 + n) % 4 === 0 ? 'rollback' : 'commit')
    }
  }
  const sealers = [sealer(), sealer()]
  await Promise.all(clients.map(writer))
  writing = false
  await Promise.all(sealers)
  await sealAudit(opened.db)
  const committed = (
    await opened.db.select({ id: auditEvents.auditId }).from(auditEvents).orderBy(asc(auditEvents.auditId))
  ).map(({ id }) => id)
  expect(committed.length).toBeLessThan(300)
  expect(await sealedIds(opened)).toEqual(committed)
  expect(await verifyAudit(opened.db, { budgetMs: 60_000 })).toMatchObject({
    rows: committed.length,
    broken: null,
    unsealed: { rows: 0, oldestAt: null },
  })
})

test('rows from before the hash chain existed are sealed in batches', async () => {
  const opened = await database()
  await opened.db.execute(sql`
    insert into ${auditEvents} (at, actor_kind, actor_name, action, outcome, details)
    select now(), 'token', 'robot ' || n, 'static_export.started', 'ok', jsonb_build_object('n', n) from generate_series(1, 2500) n`)
  expect(await verifyAudit(opened.db, { budgetMs: 60_000 })).toMatchObject({
    rows: 0,
    through: null,
    unsealed: { rows: 2_500 },
  })
  let pieces = 0
  const head = await sealAudit(opened.db, { stopping: () => (pieces += 1) > 2 })
  expect(head?.auditId).toBe(2_000)
  expect((await sealAudit(opened.db))?.auditId).toBe(2_500)
})

test('a row of the audit that a crash kept from being sealed is printed again, with the same hash', async () => {
  const own = await database()
  await write(own.db, 'printed')
  const printed: unknown[] = []
  const crash = sealAudit(own.db, {
    print: (event) => {
      printed.push(event)
      throw new Error('crash')
    },
  })
  await expect(crash).rejects.toThrow('crash')
  await sealAudit(own.db, { print: (event) => void printed.push(event) })
  await sealAudit(own.db, { print: (event) => void printed.push(event) })
  expect(printed).toHaveLength(2)
  expect(printed[1]).toEqual(printed[0])
})
