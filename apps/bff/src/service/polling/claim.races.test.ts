import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { watchColumns } from '#ground/db/watch-columns.ts'
import { testDatabase } from '#testing/database.ts'
import { claimDueRecords, claimRecordNow, writeReadOutcome, type Claimed } from './claim.ts'

/** Records whose upstream moves through numbered versions; `seen` is the version that was read last. */
const records = pgTable('raced_records', {
  id: text('id').primaryKey(),
  reads: integer('seen').notNull(),
  ...watchColumns,
})

const database = await testDatabase()
const { db } = database
afterAll(database.drop)
const columns = Object.values(getTableColumns(records)).map((column) => {
  const rules = `${column.primary ? 'primary key' : ''} ${column.hasDefault ? `default ${JSON.stringify(column.default)}` : ''}`
  return `${column.name} ${column.getSQLType()} ${rules}`
})
await db.execute(sql.raw(`create table raced_records (${columns.join(', ')})`))

const leaseMs = 30_000
const names = ['a', 'b', 'c']
const owners = ['p', 'q', 'r']

/** Actions of three processes, people, the service and the clock, in any order. */
const event = fc.oneof(
  fc.record({
    do: fc.constant('claim' as const),
    owner: fc.constantFrom(...owners),
    limit: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    do: fc.constant('check now' as const),
    owner: fc.constantFrom(...owners),
    id: fc.constantFrom(...names),
  }),
  // The service decides its answer here; it may be written much later, or never.
  fc.record({ do: fc.constant('answer' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('write' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('die' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('move on' as const), id: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('remove' as const), id: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('restore' as const), id: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1_000, leaseMs - 1, leaseMs, 2 * leaseMs) }),
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

/** A read under way: what the service answered, once it did. */
type Read = Claimed<typeof records.$inferSelect> & { answer: number | null; claimedAs: number }

/**
 * Plays the events on the database and fails at the first rule that is broken. Answers with how many writes counted.
 */
const play = async (events: readonly Event[]): Promise<number> => {
  await db.delete(records)
  let now = 1_800_000_000_000
  let count = 0
  let claims = 0
  const upstream = new Map(names.map((id) => [id, 0]))
  const reads: Read[] = []
  /** The newest claim whose answer was written, by record. */
  const newest = new Map<string, number>()
  await db.insert(records).values(names.map((id) => ({ id, reads: 0, nextCheckAt: new Date(now) })))

  const begin = (claimed: Claimed<typeof records.$inferSelect>[]) =>
    reads.push(...claimed.map((claim) => ({ ...claim, answer: null, claimedAs: (claims += 1) })))

  const write = async (read: Read) => {
    const which = eq(records.id, read.row.id)
    const [before] = await db.select().from(records).where(which)
    const set = { reads: read.answer!, nextCheckAt: new Date(now + 1_000), checkedAt: new Date(now) }
    const row = await writeReadOutcome(db, records, { which, lease: read.lease, set })
    if (row === undefined) return
    count += 1
    // The rules: a state never goes back, and an answer never follows one that was asked for later.
    expect(row.reads).toBeGreaterThanOrEqual(before!.reads)
    expect(read.claimedAs).toBeGreaterThan(newest.get(read.row.id) ?? 0)
    expect(before!.removedAt).toBeNull()
    newest.set(read.row.id, read.claimedAs)
  }

  for (const step of events) {
    const picked = 'which' in step ? reads[step.which % Math.max(1, reads.length)] : undefined
    const drop = () => reads.splice(reads.indexOf(picked!), 1)
    if (step.do === 'claim')
      begin(await claimDueRecords(db, records, { owner: step.owner, now, leaseMs, limit: step.limit }))
    else if (step.do === 'check now') {
      const claimed = await claimRecordNow(db, records, {
        owner: step.owner,
        now,
        leaseMs,
        which: eq(records.id, step.id),
      })
      if (claimed !== undefined) begin([claimed])
    } else if (step.do === 'answer' && picked !== undefined) picked.answer ??= upstream.get(picked.row.id)!
    else if (step.do === 'write' && picked !== undefined) {
      picked.answer ??= upstream.get(picked.row.id)!
      drop()
      await write(picked)
    } else if (step.do === 'die' && picked !== undefined) drop()
    else if (step.do === 'move on') upstream.set(step.id, upstream.get(step.id)! + 1)
    else if (step.do === 'wait') now += step.ms
    else if (step.do === 'remove')
      await db
        .update(records)
        .set({ removedAt: new Date(now), nextCheckAt: null, leaseOwner: null, leaseUntil: null })
        .where(and(eq(records.id, step.id), isNull(records.removedAt)))
    else if (step.do === 'restore')
      await db
        .update(records)
        .set({ removedAt: null, nextCheckAt: new Date(now) })
        .where(and(eq(records.id, step.id), sql`${records.removedAt} is not null`))
  }

  // After any history, once all readers are gone, every listed record is read again and is up to date.
  await db
    .update(records)
    .set({ removedAt: null, nextCheckAt: new Date(now) })
    .where(sql`${records.removedAt} is not null`)
  now += 2 * leaseMs
  reads.length = 0
  begin(await claimDueRecords(db, records, { owner: 'survivor', now, leaseMs, limit: 10 }))
  expect(reads.map(({ row }) => row.id).toSorted()).toEqual(names)
  for (const read of reads) await write({ ...read, answer: upstream.get(read.row.id)! })
  const left = await db.select({ id: records.id, reads: records.reads }).from(records)
  expect(new Map(left.map(({ id, reads }) => [id, reads]))).toEqual(upstream)
  return count
}

// As many as make the bound below certain: 60 count 205 to 235.
const runs = Number(process.env['SAMPLES'] ?? 80)

test(
  'whatever the order of claims, answers, clicks, removals and crashes, no state goes back and no record is lost',
  { timeout: 600_000 + runs * 500 },
  async () => {
    let count = 0
    const shuffled = fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
      count += await play(events)
    })
    await fc.assert(shuffled, { numRuns: runs })
    // Runs in which nothing was ever written would prove nothing.
    expect(count).toBeGreaterThan(200)
  },
)
