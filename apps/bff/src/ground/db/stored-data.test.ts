import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { agentJobStandIn, wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { testApp } from '#testing/test-app.ts'

const key = 'stored_canary0123456789'

const usedApp = async () => {
  const service = await agentJobStandIn()
  onTestFinished(service.close)
  service.has(wireJob())
  const app = await testApp({ upstream: { url: service.url, key } })
  onTestFinished(app.close)
  return { ...app, service }
}

test("the database contains no key of the Admin API, and stores a key's budget by its role", async () => {
  const { db, post } = await usedApp()
  await post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id: 'job_1' }] })
  const { rows: budgets } = await db.execute(sql`select key from call_budgets`)
  expect(budgets).toEqual([{ key: 'main' }])
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`)
  const texts = await Promise.all(
    tables.map(({ name }) => db.execute(sql.raw(`select json_agg(t)::text as rows from ${name} t`))),
  )
  expect(texts.length).toBeGreaterThan(10)
  expect(JSON.stringify(texts.map(({ rows }) => rows))).not.toContain(key)
})

test('a change whose history row cannot be written does not happen, and the service is not called', async () => {
  const { db, post, service } = await usedApp()
  await db.execute(sql`alter table history_events add constraint nothing_more check (false) not valid`)
  const response = await post('/api/static-exports', { requestId: randomUUID(), domain: 'docs.example.com' })
  expect(response.status).toBe(500)
  const { rows } = await db.execute(sql`select count(*)::int from static_exports`)
  expect([rows, service.calls]).toEqual([[{ count: 0 }], []])
})
