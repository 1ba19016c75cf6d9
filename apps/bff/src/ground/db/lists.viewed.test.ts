import { isNotNull } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { seedRecords } from '#testing/seed-records.ts'
import { testDatabase } from '#testing/database.ts'
import { testApp } from '#testing/test-app.ts'

const clock = { ms: Date.UTC(2026, 4, 1) }
const database = await testDatabase()
const app = await testApp({ database, now: () => clock.ms })
const another = await testApp({ database, now: () => clock.ms })
afterAll(async () => {
  await app.close()
  await another.close()
  await database.drop()
})
await seedRecords(app.db, { exports: 30, jobs: 30, active: 3, now: clock.ms })

test.each([
  ['/api/static-exports', staticExports],
  ['/api/agent-jobs', agentJobs],
] as const)('%s: polling a page marks exactly its changing records as viewed', async (path, table) => {
  const viewed = async () => {
    await app.services.viewers.flush()
    const rows = await app.db.select({ until: table.viewedUntil }).from(table).where(isNotNull(table.viewedUntil))
    return rows.map(({ until }) => (until?.getTime() ?? 0) > clock.ms)
  }
  await app.get(path)
  expect(await viewed()).toEqual([true, true, true])
  // Their next checks moved, which the page shows.
  const tag = (await app.get(path)).headers.get('etag') ?? ''
  await viewed()
  clock.ms += 600_000
  expect(await viewed()).toEqual([false, false, false])
  expect((await app.get(path, { 'if-none-match': tag })).status).toBe(304)
  expect(await viewed()).toEqual([true, true, true])
  clock.ms += 600_000
  // One that never showed the page does not know yet what is on it.
  await another.get(path, { 'if-none-match': tag })
  await another.services.viewers.flush()
  expect(await viewed()).toEqual([true, true, true])
})
