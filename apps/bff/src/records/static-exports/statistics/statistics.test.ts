import { randomUUID } from 'node:crypto'
import { StaticExportStatistics } from '@docket/api-types/static-export-statistics'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { bumpRevision } from '#ground/db/revision.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { testApp } from '#testing/test-app.ts'
import { makeToken } from '#testing/tokens.ts'

const clock = { ms: Date.parse('2026-05-20T10:00:00.000Z') }
const app = await testApp({ now: () => clock.ms })
afterAll(app.close)

type Row = typeof staticExports.$inferInsert
const hourMs = 3_600_000

/** Lists an export that began so many hours ago. */
const seed = async (row: Pick<Row, 'domain'> & Partial<Row> & { hoursAgo: number; tookMs?: number | null }) => {
  const { hoursAgo, ...rest } = row
  const startedAt = new Date(clock.ms - hoursAgo * hourMs)
  const end = new Date(startedAt.getTime() + (rest.tookMs ?? 1000))
  const exportId = randomUUID()
  const state = rest.state ?? 'completed'
  const ended = state === 'completed' || state === 'failed' ? { finishedAt: end, unfinishedAt: startedAt } : {}
  await app.db.insert(staticExports).values({ exportId, state, startedAt, ...ended, ...rest })
  await bumpRevision(app.db, 'static_exports')
  return exportId
}

const readAs = async (headers: Record<string, string | undefined>, query: string) =>
  StaticExportStatistics.parse(await (await app.get(`/api/static-exports/statistics?${query}`, headers)).json())
const read = (query: string) => readAs({}, query)

test('statistics state their sample size, and leave out exports that are unfinished, removed or too old', async () => {
  const domain = 'figures.example.com'
  expect(await read(`domain=${domain}`)).toEqual({
    exports: [],
    from: '2026-04-21T00:00:00.000Z',
    days: [],
    total: {
      completed: 0,
      failed: 0,
      lost: 0,
      durationMs: { sample: 0, median: null },
      pages: { sample: 0, median: null },
    },
  })
  const old = await seed({ domain, hoursAgo: 24 * 60, tookMs: 9000, pageCount: 900 })
  await seed({ domain, hoursAgo: 50, tookMs: 3000, pageCount: 30 })
  await seed({ domain, hoursAgo: 49, tookMs: 1000, pageCount: 10, bundleSizeBytes: 5000 })
  const partial = await seed({ domain, hoursAgo: 48, paths: ['/a'], pageCount: 1 })
  await seed({ domain, hoursAgo: 3, state: 'failed', pageCount: 7 })
  await seed({ domain, hoursAgo: 2, state: 'refused' })
  await seed({ domain, hoursAgo: 1, state: 'unknown' })
  await seed({ domain, hoursAgo: 1, state: 'accepted', jobId: randomUUID() })
  await seed({ domain, hoursAgo: 1, removedAt: new Date(clock.ms) })
  const { exports, days, total } = await read(`domain=${domain}`)
  expect(exports.map(({ exportId }) => exportId).slice(0, 1)).toEqual([old])
  expect(exports.map(({ outcome, pageCount, sizeBytes }) => [outcome, pageCount, sizeBytes])).toEqual([
    ['completed', 900, null],
    ['completed', 30, null],
    ['completed', 10, 5000],
    ['completed', 1, null],
    ['failed', 7, null],
    ['failed', null, null],
    ['lost', null, null],
  ])
  expect(exports[3]).toMatchObject({ exportId: partial, partial: true, startedAt: '2026-05-18T10:00:00.000Z' })
  expect(total).toEqual({
    completed: 3,
    failed: 2,
    lost: 1,
    durationMs: { sample: 2, median: 1000 },
    pages: { sample: 2, median: 10 },
  })
  expect(days.map(({ day, completed, failed, lost }) => [day, completed, failed, lost])).toEqual([
    ['2026-05-18T00:00:00.000Z', 3, 0, 0],
    ['2026-05-20T00:00:00.000Z', 0, 2, 1],
  ])
  expect((await read(`domain=${domain}&from=2026-05-20T08:30:00Z`)).total).toMatchObject({ failed: 0, lost: 1 })
})

test('the page count of an uploaded export comes from its stored bundle', async () => {
  const domain = 'uploaded.example.com'
  const [sha256, siteId] = ['e'.repeat(64), randomUUID()]
  const exportId = await seed({ domain, hoursAgo: 1, imported: true })
  await app.db.execute(sql`insert into sites (site_id, connection_id, domain, created_at)
    select ${siteId}, connection_id, ${domain}, now() from static_exports where export_id = ${exportId}`)
  await app.db.execute(sql`insert into stored_bundles
    (sha256, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
    values (${sha256}, '.zip', 1, 1, 1, 1, 12, now())`)
  await app.db.execute(sql`insert into artifacts (export_id, site_id, state, sha256)
    values (${exportId}, ${siteId}, 'stored', ${sha256})`)
  const { exports, total } = await read(`domain=${domain}`)
  expect(exports).toMatchObject([{ pageCount: 12, durationMs: null }])
  expect(total.pages).toEqual({ sample: 1, median: 12 })
})

test('the latest two hundred exports of one domain are listed one by one, and all domains together are grouped by day', async () => {
  const domain = 'many.example.com'
  const at = (n: number) => new Date(clock.ms - n * 60_000)
  const rows = Array.from({ length: 201 }, (_, n) => ({ exportId: randomUUID(), domain, startedAt: at(n) }))
  await app.db.insert(staticExports).values(rows.map((row) => ({ ...row, state: 'completed' as const })))
  await bumpRevision(app.db, 'static_exports')
  const { exports, total } = await read(`domain=${domain}`)
  expect([exports.length, exports[0]?.exportId, exports.at(-1)?.exportId, total.completed]).toEqual([
    200,
    rows[199]!.exportId,
    rows[0]!.exportId,
    201,
  ])
  const all = await read('')
  expect(all.exports).toEqual([])
  expect(all.total.completed).toBeGreaterThanOrEqual(201)
})

test('statistics for a restricted token leave out the exports of other domains', async () => {
  await seed({ domain: 'own.example.com', hoursAgo: 1, tookMs: 5000 })
  await seed({ domain: 'foreign.example.com', hoursAgo: 1, tookMs: 900_000 })
  const { bearer } = await makeToken(app, { domains: ['own.example.com'] })
  expect((await readAs(bearer, '')).total).toMatchObject({ completed: 1, durationMs: { sample: 1, median: 5000 } })
  expect((await readAs(bearer, 'domain=foreign.example.com')).exports).toEqual([])
  expect((await read('domain=foreign.example.com')).exports).toHaveLength(1)
})

test('the days of the default range advance at midnight, and the response is unchanged until then', async () => {
  const domain = 'midnight.example.com'
  await seed({ domain, hoursAgo: 1 })
  const path = `/api/static-exports/statistics?domain=${domain}`
  const first = await app.get(path)
  const again = { 'if-none-match': first.headers.get('etag')! }
  expect((await app.get(path, again)).status).toBe(304)
  clock.ms += 24 * hourMs
  expect((await read(`domain=${domain}`)).from).toBe('2026-04-22T00:00:00.000Z')
  expect((await app.get(path, again)).status).toBe(200)
})
