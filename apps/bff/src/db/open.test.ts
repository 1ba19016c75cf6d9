import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { bumpRevision } from '#db/revision.ts'
import { openDatabase } from '#db/open.ts'
import { testDatabase } from '#testing/database.ts'

const log = { debug: () => {}, warn: () => {}, error: () => {} }

test('each test file has a migrated database of its own', async () => {
  const one = await testDatabase()
  const two = await testDatabase()
  onTestFinished(() => Promise.all([one.drop(), two.drop()]).then(() => {}))
  expect(await bumpRevision(one.db, 'agent_jobs')).toBe(1)
  expect(await bumpRevision(one.db, 'agent_jobs')).toBe(2)
  expect(await bumpRevision(two.db, 'agent_jobs')).toBe(1)
})

test('DATABASE_URL is opened and migrated', async () => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  const opened = await openDatabase({ databaseUrl: url, dataDir: '/nonexistent', log })
  const { rows } = await opened.db.execute<{ one: number }>(sql`select 1 as one`)
  expect(rows[0]?.one).toBe(1)
  await opened.close()
})
