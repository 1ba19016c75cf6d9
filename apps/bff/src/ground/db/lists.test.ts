import { randomUUID } from 'node:crypto'
import { AgentJobListQuery } from '@docket/api-types/agent-jobs'
import { StaticExportListQuery } from '@docket/api-types/static-exports'
import { and, eq, lt, not, sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '#ground/http/access/token-scope.ts'
import { readAgentJobFilters, readAgentJobPage } from '#records/agent-jobs/agent-jobs.list.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { openPool } from './pool.ts'
import { bumpRevision, type ListName } from './revision.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { listExportDomains, readExportPage } from '#records/static-exports/static-exports.list.ts'
import type { Database } from '#ground/db/database.ts'
import { testDatabase } from '#testing/database.ts'
import { seedRecordsAt } from '#testing/seed-records.ts'
import { testApp } from '#testing/test-app.ts'

const database = await testDatabase()
const other = await testDatabase()
const [one, two, elsewhere] = await Promise.all([
  testApp({ database }),
  testApp({ database }),
  testApp({ database: other }),
])
// Filling takes longer than a statement of a request may, on a busy machine.
const pool = openPool(
  { connectionString: database.url, max: 5, statement_timeout: 0, query_timeout: 0 },
  { warn: () => {} },
)
afterAll(async () => {
  await Promise.all([one, two, elsewhere].map((app) => app.close()))
  await pool.end()
  await Promise.all([database.drop(), other.drop()])
})
const { db } = database

const now = Date.UTC(2026, 4, 1)

const lists = [
  ['agent_jobs', '/api/agent-jobs'],
  ['static_exports', '/api/static-exports'],
] as const

const addRecord = async (name: ListName, place: number) => {
  const at = new Date(now - place)
  if (name === 'agent_jobs') await db.insert(agentJobs).values({ projectId: 'p', id: `${place}`, followedAt: at })
  else
    await db
      .insert(staticExports)
      .values({ exportId: randomUUID(), domain: 'a.example', state: 'unknown', startedAt: at })
}

test.each(lists)(
  '%s: a page from one replica is answered 304 by every other, until the page changes',
  async (name, path) => {
    for (let change = 1; change <= 3; change += 1) {
      const tag = (await one.get(path)).headers.get('etag') ?? ''
      expect((await two.get(path, { 'if-none-match': tag })).status).toBe(304)
      await bumpRevision(db, name)
      expect((await two.get(path, { 'if-none-match': tag })).status).toBe(304)
      await addRecord(name, change)
      await bumpRevision(db, name)
      for (const replica of [one, two]) expect((await replica.get(path, { 'if-none-match': tag })).status).toBe(200)
    }
  },
)

test.each(lists)('%s: a page from another database with as many changes is not answered 304', async (name, path) => {
  const revisions = [await bumpRevision(db, name)]
  while (revisions.at(-1) !== revisions[0] || revisions.length < 2) revisions.push(await bumpRevision(other.db, name))
  const tag = (await one.get(path)).headers.get('etag') ?? ''
  expect((await elsewhere.get(path, { 'if-none-match': tag })).status).toBe(200)
})

type Plan = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

// A search for a common word looks at 10,000 records at a time.
const sizes = { exports: 20_000, jobs: 12_000 }
const [manyExports, manyJobs] = [sizes.exports, sizes.jobs].map((size) => `of ${size.toLocaleString('en')}`)
// The planner knows enough of a list from a few thousand of its records.
const statistics = 20
beforeAll(async () => {
  await seedRecordsAt(database.url, { ...sizes, statistics, now })
})

/** Does something and answers with the plan of every query it made, as they really ran. */
const readPlans = async (act: (logged: typeof db) => Promise<unknown>): Promise<Plan[][]> => {
  const queries: { text: string; values: unknown[] }[] = []
  const logQuery = (text: string, values: unknown[]) => {
    // An estimate, which reads nothing.
    if (!text.startsWith('explain')) queries.push({ text, values })
  }
  await act(drizzle(pool, { logger: { logQuery } }))
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return Promise.all(
    queries.map(async ({ text, values }) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json, costs off, timing off) ${text}`,
        values,
      )
      return flat(rows[0]!['QUERY PLAN'][0].Plan)
    }),
  )
}

const wordsIndexes = ['static_exports_search', 'agent_jobs_search']

/** The most rows that any step of the plans reads or passes over. Throws when a table is read from end to end. */
const maxRows = (plans: Plan[][]): number => {
  // A Docket has a few connections.
  const nodes = plans.flat().filter((node) => node['Relation Name'] !== 'connections')
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  return Math.max(...nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
}

const exportPage = async (db: typeof database.db, query: object) =>
  readExportPage(db, StaticExportListQuery.parse(query), everything)
const jobPage = async (db: typeof database.db, query: object) =>
  readAgentJobPage(db, AgentJobListQuery.parse(query), { ...everything, now })

const domain = 'docs.acme-0.example.com'
const repository = 'https://github.com/acme/docs-0'

test.each([
  {},
  { sort: 'oldest' },
  { sort: 'domain' },
  { group: 'failed' },
  { group: 'completed', sort: 'oldest' },
  { group: 'unknown' },
  { domain },
  { domain, sort: 'oldest' },
  { group: 'failed', domain },
  { group: 'failed', sort: 'domain' },
  { attention: 'true' },
  { attention: 'true', group: 'failed' },
  { attention: 'true', sort: 'domain' },
  { from: new Date(now - 30 * 3_600_000).toISOString(), to: new Date(now - 24 * 3_600_000).toISOString(), limit: 10 },
])(`${manyExports} exports, a query reads only the rows of its page and counts: %j`, async (query) => {
  const first = await exportPage(db, query)
  expect(first.items.length).toBeGreaterThan(0)
  let cursor = first.nextCursor
  for (let page = 0; page < 20 && cursor !== null; page += 1)
    ({ nextCursor: cursor } = await exportPage(db, { ...query, cursor }))
  for (const range of [{}, cursor === null ? {} : { cursor }, { until: first.nextCursor ?? undefined }])
    expect(maxRows(await readPlans((logged) => exportPage(logged, { ...query, ...range })))).toBeLessThan(200)
})

test.each([
  {},
  { sort: 'oldest' },
  { sort: 'repository' },
  { group: 'failed' },
  { repository },
  { model: 'opus-4' },
  { group: 'failed', repository },
  { group: 'failed', model: 'opus-4' },
  { group: 'archived', sort: 'repository' },
  { repository, model: 'opus-4' },
  { attention: 'true' },
  { attention: 'true', group: 'failed' },
])(`${manyJobs} jobs, a query reads only the rows of its page and counts: %j`, async (query) => {
  const first = await jobPage(db, query)
  expect(first.items.length).toBeGreaterThan(0)
  let cursor = first.nextCursor
  for (let page = 0; page < 20 && cursor !== null; page += 1)
    ({ nextCursor: cursor } = await jobPage(db, { ...query, cursor }))
  for (const range of [{}, cursor === null ? {} : { cursor }, { until: first.nextCursor ?? undefined }])
    expect(maxRows(await readPlans((logged) => jobPage(logged, { ...query, ...range })))).toBeLessThan(sizes.jobs / 3)
})

test.each([
  { q: 'acme-16 docs' },
  { q: 'exp 12ab' },
  { q: 'nothing' },
  { q: 'acme-16', group: 'failed' },
  { q: 'acme-16', sort: 'domain' },
])('in long lists, records with a rare word are found through the word index: %j', async (query) => {
  for (const page of [exportPage, jobPage]) {
    const plans = await readPlans((logged) => page(logged, { ...query, sort: undefined }))
    expect(maxRows(plans)).toBeLessThanOrEqual(1_001)
    const searches = plans.filter((nodes) => nodes.some((node) => wordsIndexes.includes(node['Index Name'] ?? '')))
    // The page and the count.
    expect(searches.length).toBe(2)
  }
})

test.each([
  ['e', exportPage],
  ['p', jobPage],
] as const)("matches of a common word come in the list's order, page by page: %s", async (q, page) => {
  for (const query of [{}, { sort: 'oldest' }, { group: 'failed' }, { limit: 10 }]) {
    const found = await page(db, { ...query, q })
    expect(found.items).toEqual((await page(db, query)).items)
    const next = { ...query, cursor: found.nextCursor }
    expect((await page(db, { ...next, q })).items).toEqual((await page(db, next)).items)
  }
  const { counts } = await page(db, { q })
  expect(counts.filtered).toMatchObject({
    all: { count: 1_000, more: true },
    groups: { gone: { more: false } },
  })
})

test(`${manyExports} exports, a search for a common word reads at most 10,000 at a time`, async () => {
  for (const query of [{}, { sort: 'oldest' }, { group: 'completed' }, { limit: 10 }])
    expect(maxRows(await readPlans((logged) => exportPage(logged, { ...query, q: 'e' })))).toBeLessThanOrEqual(10_000)
})

/** A transaction that is taken back. Its queries go one after the other, though a list asks a pool for several at once. */
const undone = async (work: (db: Database) => Promise<void>) => {
  const client = new Client(database.url)
  await client.connect()
  const { query } = client
  let last: Promise<unknown> = client.query('begin')
  client.query = ((...args: never[]) => {
    const send = () => Reflect.apply(query, client, args) as Promise<unknown>
    return (last = last.then(send, send))
  }) as typeof query
  try {
    await work(drizzle(client) as unknown as Database)
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

/** Exports behind this place of the list. */
const older = (place: number) => lt(staticExports.startedAt, new Date(now - place * 241_737))

test('a word that the database takes for common is found even if none of the first 10,000 records has it', async () => {
  await undone(async (tx) => {
    // No trigger looks at versions.
    await tx.execute(sql`set local session_replication_role = replica`)
    const write = (version: string, which: SQL | undefined) => tx.update(staticExports).set({ version }).where(which)
    await write('late', older(9_000))
    await tx.execute(sql`set local default_statistics_target = ${sql.raw(String(statistics))}`)
    await tx.execute(sql`analyze static_exports`)
    await write('early', and(older(9_000), not(older(11_000))))
    const { items, counts } = await exportPage(tx, { q: 'late', limit: 20 })
    expect(items.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, () => 'late'))
    expect(counts.filtered?.groups).toMatchObject({ completed: { more: true }, failed: { more: false } })
  })
})

test('filter values are read from the index, one entry per value', async () => {
  expect((await listExportDomains(db, everything)).length).toBe(100)
  const { repositories, models } = await readAgentJobFilters(db, everything)
  expect([repositories.length, models.length]).toEqual([100, 3])
  for (const read of [listExportDomains, readAgentJobFilters])
    expect(maxRows(await readPlans((logged) => read(logged, everything)))).toBeLessThanOrEqual(101)
})

test('counts of filtered and of removed records stop at 1,000, so that long lists cost no more', async () => {
  const query = { from: new Date(now - 10 * 365 * 24 * 3_600_000).toISOString() }
  const { counts } = await exportPage(db, query)
  expect(counts.filtered).toMatchObject({
    all: { count: 1_000, more: true },
    groups: { completed: { count: 1_000, more: true }, gone: { more: false } },
  })
  expect(maxRows(await readPlans((logged) => exportPage(logged, query)))).toBeLessThanOrEqual(7_007)
  await undone(async (tx) => {
    await tx
      .update(staticExports)
      .set({ removedAt: new Date(now) })
      .where(and(eq(staticExports.group, 'completed'), older(15_000)))
    const removed = await readExportPage(tx, StaticExportListQuery.parse({ removed: 'true', domain }), everything)
    expect(removed.items.every((row) => row.domain === domain && row.removedAt !== null)).toBe(true)
    const { counts: after } = await readExportPage(tx, StaticExportListQuery.parse({}), everything)
    expect(after.removed).toEqual({ count: 1_000, more: true })
  })
})
