import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '#ground/http/access/token-scope.ts'
import { createJobTitleFinder, readAgentJobPage, listWorkingJobs } from '#records/agent-jobs/agent-jobs.list.ts'
import { jobDurations } from '#records/agent-jobs/agent-jobs.history.ts'
import { openPool } from '#ground/db/pool.ts'
import { listLatestEndings } from './endings.ts'
import { readHistory, readHistoryTag } from './records-history.ts'
import {
  createExportTitleFinder,
  readExportPage,
  listRunningExports,
} from '#records/static-exports/static-exports.list.ts'
import { exportDurations } from '#records/static-exports/static-exports.history.ts'
import { testDatabase } from '#testing/database.ts'
import { seedRecords } from '#testing/seed-records.ts'

const { db, url, drop } = await testDatabase()
const pool = openPool({ connectionString: url, max: 2 }, { warn: () => {} })
afterAll(async () => {
  await pool.end()
  await drop()
})

const size = 4_000
const now = Date.UTC(2026, 4, 1)
// Filling takes longer than a statement of a request may, on a busy machine.
const filling = openPool({ connectionString: url, max: 1, statement_timeout: 0, query_timeout: 0 }, { warn: () => {} })
beforeAll(async () => {
  const slow = drizzle(filling)
  await seedRecords(slow, { exports: size, jobs: size, active: 50, statistics: 5, now })
  await slow.execute(sql`insert into history_events (record_type, record_key, kind, at, ending)
    select 'static_export', export_id::text, kind, started_at, case when kind <> 'requested' then state end from static_exports, unnest(array['requested', state]) kind
    where state in ('completed', 'failed') order by started_at`)
  await slow.execute(sql`vacuum (analyze) history_events`)
  // Only records of a connection in use count as running.
  await slow.execute(sql`update connections set gone_at = null`)
  await filling.end()
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Does something and answers with the plans of all queries it made, as they really ran. */
const listNodes = async (act: (logged: typeof db) => Promise<unknown>): Promise<Plan[]> => {
  const queries: { text: string; values: unknown[] }[] = []
  await act(drizzle(pool, { logger: { logQuery: (text, values) => void queries.push({ text, values }) } }))
  expect(queries.length).toBeGreaterThan(0)
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  const plans = queries.map(async ({ text, values }) => {
    const explained = `explain (analyze, format json, costs off, timing off) ${text}`
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained, values)
    return flat(rows[0]!['QUERY PLAN'][0].Plan)
  })
  return (await Promise.all(plans)).flat()
}

/** Counts the table rows read, and checks that each scan uses an index. */
const rowsRead = (all: readonly Plan[]): number => {
  // There are few connections.
  const nodes = all.filter((node) => node['Relation Name'] !== 'connections')
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  const scans = nodes.filter((node) => /^Index|^Bitmap Heap/.test(node['Node Type']))
  return scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
}

test('the tag of a history needs one index row, and its content only its own rows', async () => {
  const { rows } = await db.execute<{ id: string }>(
    sql`select export_id as id from static_exports where state = 'failed' limit 1`,
  )
  const key = { type: 'static_export', exportId: rows[0]!.id } as const
  expect(rowsRead(await listNodes((tx) => readHistoryTag(tx, key, 365)))).toBe(1)
  expect(rowsRead(await listNodes((tx) => readHistory(tx, key, 365)))).toBe(2)
})

test('the activity list reads only one page of endings and the few running records', async () => {
  expect(rowsRead(await listNodes((tx) => listRunningExports(tx, 10, everything)))).toBe(10)
  expect(rowsRead(await listNodes((tx) => listWorkingJobs(tx, 10, { now, scope: everything })))).toBeLessThanOrEqual(50)
  const titles = (tx: typeof db) => [createExportTitleFinder(tx, everything), createJobTitleFinder(tx, everything)]
  expect(rowsRead(await listNodes((tx) => listLatestEndings(tx, titles(tx), { limit: 20 })))).toBeLessThanOrEqual(100)
})

test('usual durations for a page of running records read at most a hundred index entries per key', async () => {
  const page = { limit: 50, sort: 'newest' } as const
  const { items: exports } = await readExportPage(db, { ...page, group: 'active' }, everything)
  const { items: jobs } = await readAgentJobPage(db, { ...page, group: 'working' }, { ...everything, now })
  expect([exports.length, jobs.length]).toEqual([50, 50])
  const domains = new Set(exports.map(({ domain }) => domain)).size
  const repositories = new Set(jobs.map(({ repository }) => repository)).size
  const exportNodes = await listNodes((tx) => exportDurations(tx, () => now).forRunning(exports))
  const jobNodes = await listNodes((tx) => jobDurations(tx, () => now).forWorking(jobs))
  expect(rowsRead(exportNodes)).toBeGreaterThan(5 * domains)
  expect(rowsRead(exportNodes)).toBeLessThanOrEqual(100 * domains)
  expect(rowsRead(jobNodes)).toBeLessThanOrEqual(100 * (repositories + 1))
})

test('a list that is polled queries usual durations once in ten seconds', async () => {
  const { items } = await readExportPage(db, { limit: 50, sort: 'newest', group: 'active' }, everything)
  let queries = 0
  const clock = { ms: now }
  const countingDb = drizzle(pool, { logger: { logQuery: () => void (queries += 1) } })
  const { forRunning: ofRunning } = exportDurations(countingDb, () => clock.ms)
  const usual = (await ofRunning(items))(items[0]!)
  expect(usual?.sample).toBeGreaterThan(5)
  clock.ms += 9_999
  expect((await ofRunning(items))(items[0]!)).toEqual(usual)
  expect(queries).toBe(1)
  clock.ms += 1
  await ofRunning(items)
  expect(queries).toBe(2)
  clock.ms = now - 60_000
  await ofRunning(items)
  expect(queries).toBe(3)
})
