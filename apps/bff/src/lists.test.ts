import { sql, type SQL } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { agentJobPageQuery } from '#agent-jobs/agent-jobs.list.ts'
import { bumpRevision } from '#db/revision.ts'
import { exportPageQuery } from '#static-exports/static-exports.list.ts'
import { testDatabase } from '#testing/database.ts'
import { testApp } from '#testing/test-app.ts'

const database = await testDatabase()
const other = await testDatabase()
const [one, two, elsewhere] = await Promise.all([
  testApp({ database }),
  testApp({ database }),
  testApp({ database: other }),
])
afterAll(async () => {
  await Promise.all([one, two, elsewhere].map((app) => app.close()))
  await Promise.all([database.drop(), other.drop()])
})
const { db } = database

const lists = [
  ['agent_jobs', '/api/agent-jobs'],
  ['static_exports', '/api/static-exports'],
] as const

test.each(lists)('%s: what one replica named is current at every other, until the list changes', async (name, path) => {
  for (let change = 0; change < 3; change += 1) {
    const tag = (await one.get(path)).headers.get('etag') ?? ''
    expect((await two.get(path, { 'if-none-match': tag })).status).toBe(304)
    await bumpRevision(db, name)
    expect((await one.get(path, { 'if-none-match': tag })).status).toBe(200)
    expect((await two.get(path, { 'if-none-match': tag })).status).toBe(200)
  }
})

test.each(lists)('%s: another database that came as far is another content', async (name, path) => {
  const revisions = [await bumpRevision(db, name)]
  while (revisions.at(-1) !== revisions[0] || revisions.length < 2) revisions.push(await bumpRevision(other.db, name))
  const tag = (await one.get(path)).headers.get('etag') ?? ''
  expect((await elsewhere.get(path, { 'if-none-match': tag })).status).toBe(200)
})

type Plan = {
  'Node Type': string
  'Index Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const nodesOf = async (query: SQL): Promise<Plan[]> => {
  const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    sql`explain (analyze, format json, costs off, timing off) ${query}`,
  )
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return flat(rows[0]!['QUERY PLAN'][0].Plan)
}

test('among 20,000 records every page is read off its index, in order, and nothing more', async () => {
  await db.execute(sql`insert into agent_jobs (project_id, id, followed_at)
    select 'docs', 'job_' || n, timestamptz '2026-01-01' + n / 3 * interval '1 second' from generate_series(1, 20000) n`)
  await db.execute(sql`insert into static_exports (export_id, domain, state, started_at)
    select gen_random_uuid(), 'docs.example.com', 'completed', timestamptz '2026-01-01' + n / 3 * interval '1 second' from generate_series(1, 20000) n`)
  await db.execute(sql`analyze`)
  const limit = 50
  const cursorAt = (...keys: string[]) =>
    Buffer.from(JSON.stringify([Date.UTC(2026, 0, 1, 0, 20), keys])).toString('base64url')
  const deepInJobs = cursorAt('docs', 'job_3600')
  const deepInExports = cursorAt('80000000-0000-4000-8000-000000000000')
  const queries = [
    ['agent_jobs_list', agentJobPageQuery(db, { limit })],
    ['agent_jobs_list', agentJobPageQuery(db, { limit, cursor: deepInJobs })],
    ['static_exports_list', exportPageQuery(db, { limit })],
    ['static_exports_list', exportPageQuery(db, { limit, cursor: deepInExports })],
  ] as const
  for (const [index, query] of queries) {
    const nodes = await nodesOf(query.getSQL())
    expect(nodes.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan'])
    expect(nodes[1]).toMatchObject({ 'Index Name': index, 'Actual Rows': limit + 1 })
    // Of those at the cursor's very instant.
    expect(nodes[1]?.['Rows Removed by Filter'] ?? 0).toBeLessThan(4)
  }
})
