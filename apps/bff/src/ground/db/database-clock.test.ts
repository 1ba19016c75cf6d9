import { expect, onTestFinished, test } from 'vitest'
import { databaseClock, readDatabaseClock } from '#ground/db/database-clock.ts'
import { testDatabase } from '#testing/database.ts'

const hourMs = 3_600_000

const clocks = () => {
  const warnings: string[] = []
  const at = { theirs: 1_000_000_000, aheadMs: 0, answers: true, tookMs: 0 }
  let elapsedMs = 0
  const clock = databaseClock({
    local: () => at.theirs + at.aheadMs + elapsedMs,
    read: async () => {
      elapsedMs += at.tookMs
      if (!at.answers) throw new Error('away')
      return at.theirs
    },
    log: { warn: (message) => void warnings.push(message) },
  })
  return { clock, at, warnings }
}

test.each([2 * hourMs, -2 * hourMs])("a machine whose clock is off by %i ms uses the database's time", async (off) => {
  const { clock, at, warnings } = clocks()
  at.aheadMs = off
  await clock.compare()
  expect(clock.now()).toBe(at.theirs)
  await clock.compare()
  expect(warnings).toEqual([expect.stringMatching(off > 0 ? /7200 s ahead of/ : /7200 s behind/)])
  at.aheadMs = 0
  await clock.compare()
  expect(clock.now()).toBe(at.theirs)
  expect(warnings).toHaveLength(2)
})

test('a clock difference within a second is ignored', async () => {
  const { clock, at, warnings } = clocks()
  at.aheadMs = 900
  await clock.compare()
  expect(clock.now()).toBe(at.theirs + 900)
  expect(warnings).toEqual([])
})

test('while the database is unavailable or slow, the last known difference stays in use', async () => {
  const { clock, at } = clocks()
  at.aheadMs = hourMs
  await clock.compare()
  at.answers = false
  await clock.compare()
  expect(clock.now()).toBe(at.theirs)
  Object.assign(at, { answers: true, tookMs: 60_000 })
  const before = clock.now()
  await clock.compare()
  expect(clock.now()).toBe(before + 60_000)
})

test("the database's own clock is read in milliseconds", async () => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  expect(Math.abs((await readDatabaseClock(db)) - Date.now())).toBeLessThan(60_000)
})
