import { eq, sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { expect, onTestFinished, test } from 'vitest'
import { watchColumns } from '#ground/db/watch-columns.ts'
import { testDatabase } from '#testing/database.ts'
import { claimDueRecords, claimRecordNow, nextDueAt, writeReadOutcome } from './claim.ts'

const records = pgTable('watched_records', { id: text('id').primaryKey(), ...watchColumns })
const leaseMs = 30_000
const me = { owner: 'me', now: 1_000_000, leaseMs }

/** Records by id, due so many milliseconds after `me.now`; null is never. */
const withRecords = async (due: Record<string, number | null>) => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  await db.execute(sql`create table watched_records (
    id text primary key, next_check_at timestamptz(3), lease_owner text, lease_until timestamptz(3),
    changing_since timestamptz(3), unfinished_at timestamptz(3), viewed_until timestamptz(3),
    failures integer not null default 0, checked_at timestamptz(3), check_failure jsonb,
    found_at timestamptz(3), missing_since timestamptz(3), missing_reads integer not null default 0,
    revision bigint not null default 0, removed_at timestamptz(3))`)
  const rows = Object.entries(due).map(([id, ms]) => ({
    id,
    nextCheckAt: ms === null ? null : new Date(me.now + ms),
  }))
  if (rows.length > 0) await db.insert(records).values(rows)
  return db
}
const ids = (claimed: { row: { id: string } }[]) => claimed.map(({ row }) => row.id).toSorted()

test('only due records are claimed, the longest due first, up to the limit', async () => {
  const db = await withRecords({ now: 0, late: -1000, later: -2000, future: 1, never: null })
  expect(ids(await claimDueRecords(db, records, { ...me, limit: 2 }))).toEqual(['late', 'later'])
  expect(ids(await claimDueRecords(db, records, { ...me, limit: 2 }))).toEqual(['now'])
  expect(await claimDueRecords(db, records, { ...me, limit: 2 })).toEqual([])
})

test('records on a screen are claimed before those that have been due for longer', async () => {
  const db = await withRecords({ late: -3000, seen: -1000, left: -2000 })
  const until = (id: string, ms: number) =>
    db
      .update(records)
      .set({ viewedUntil: new Date(me.now + ms) })
      .where(eq(records.id, id))
  await until('seen', 1)
  await until('left', 0)
  const order: string[] = []
  for (let place = 0; place < 3; place += 1) order.push(...ids(await claimDueRecords(db, records, { ...me, limit: 1 })))
  expect(order).toEqual(['seen', 'late', 'left'])
})

test('concurrent claims never get the same record', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `r${index}`)
  const db = await withRecords(Object.fromEntries(names.map((name) => [name, 0])))
  const claims = await Promise.all(
    Array.from({ length: 20 }, (_, index) => claimDueRecords(db, records, { ...me, owner: `p${index}`, limit: 10 })),
  )
  const got = claims.flat().map(({ row }) => row.id)
  expect(new Set(got).size).toBe(got.length)
  // Whoever came while others held the rows went away empty-handed, so a second look may find some.
  const rest = await claimDueRecords(db, records, { ...me, limit: 100 })
  expect(got.length + rest.length).toBe(100)
})

test('a record with an expired lease can be claimed, and a removed one cannot', async () => {
  const db = await withRecords({ a: 0, gone: 0 })
  await db
    .update(records)
    .set({ removedAt: new Date(me.now) })
    .where(eq(records.id, 'gone'))
  await claimDueRecords(db, records, { ...me, limit: 9 })
  expect(await claimDueRecords(db, records, { ...me, now: me.now + leaseMs - 1, limit: 9 })).toEqual([])
  expect(ids(await claimDueRecords(db, records, { ...me, now: me.now + leaseMs, limit: 9 }))).toEqual(['a'])
})

test('an outcome is written only while its lease is valid, even within one process', async () => {
  const db = await withRecords({ a: 0 })
  const which = eq(records.id, 'a')
  const [old] = await claimDueRecords(db, records, { ...me, limit: 1 })
  const newer = await claimRecordNow(db, records, { ...me, which })
  expect(await writeReadOutcome(db, records, { which, lease: old?.lease ?? '', set: { failures: 7 } })).toBeUndefined()
  const nextCheckAt = new Date(me.now + 5000)
  const row = await writeReadOutcome(db, records, {
    which,
    lease: newer?.lease ?? '',
    set: { failures: 2, nextCheckAt },
  })
  expect(row).toMatchObject({ failures: 2, nextCheckAt, leaseOwner: null, leaseUntil: null })
  expect(
    await writeReadOutcome(db, records, { which, lease: newer?.lease ?? '', set: { failures: 9 } }),
  ).toBeUndefined()
})

test('a claim for a person ignores leases and due times, and returns nothing if the record does not exist', async () => {
  const db = await withRecords({ a: null })
  expect((await claimRecordNow(db, records, { ...me, which: eq(records.id, 'a') }))?.row.id).toBe('a')
  expect((await claimRecordNow(db, records, { ...me, which: eq(records.id, 'a') }))?.row.id).toBe('a')
  expect(await claimRecordNow(db, records, { ...me, which: eq(records.id, 'b') })).toBeUndefined()
})

test('the next due time is the earliest moment at which a record can be claimed', async () => {
  const db = await withRecords({ never: null })
  expect(await nextDueAt(db, records, { now: me.now })).toBeNull()
  await db.insert(records).values({ id: 'soon', nextCheckAt: new Date(me.now + 10) })
  await db.insert(records).values({ id: 'later', nextCheckAt: new Date(me.now + 2000) })
  expect(await nextDueAt(db, records, { now: me.now })).toEqual(new Date(me.now + 10))
  await claimDueRecords(db, records, { ...me, now: me.now + 10, limit: 1 })
  expect(await nextDueAt(db, records, { now: me.now })).toEqual(new Date(me.now + 2000))
  await db.delete(records).where(eq(records.id, 'later'))
  expect(await nextDueAt(db, records, { now: me.now })).toEqual(new Date(me.now + 10 + leaseMs))
})
