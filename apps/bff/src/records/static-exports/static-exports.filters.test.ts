import { isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { staticExports } from './static-exports.table.ts'
import { purgeRemovedExports } from './remove-export.ts'
import { staticExportsApp } from './testing/static-exports-app.ts'

const one = { count: 1, more: false }

test('the counts per state respect the filters for text, domain and dates, whatever state is selected', async () => {
  const { started, upstream, clock, list, nextCheck } = await staticExportsApp()
  const dayMs = 24 * 3_600_000
  for (const [n, domain] of ['a.example', 'b.example', 'b.example'].entries()) {
    clock.ms += dayMs
    const { exportId } = await started({ domain, version: `v${n}`, confirmed: true })
    upstream.has(`job-${n + 1}`, { status: n === 2 ? 'failed' : 'completed' })
    await nextCheck(exportId)
  }
  expect((await list()).counts).toMatchObject({ all: 3, filtered: null, groups: { completed: 2, failed: 1 } })
  for (const filter of ['q=b', 'domain=b.example', `from=${new Date(clock.ms - 1.5 * dayMs).toISOString()}`])
    for (const state of ['', '&group=failed', '&group=refused', '&attention=true']) {
      const { counts } = await list(`?${filter}${state}`)
      expect(counts.filtered).toMatchObject({
        all: { count: 2, more: false },
        attention: one,
        groups: { completed: one, failed: one, refused: { count: 0, more: false } },
      })
      expect(counts.all).toBe(3)
      expect(counts.matching?.count).toBe({ '': 2, '&group=refused': 0 }[state] ?? 1)
    }
})

test('date filters apply to the start, include from and exclude to, and an invalid date is rejected by name', async () => {
  const { started, clock, list, request, refused } = await staticExportsApp()
  const at = new Date(clock.ms).toISOString()
  await started()
  const later = new Date(clock.ms + 1).toISOString()
  const count = async (query: string) => (await list(query)).items.length
  expect(await count(`?from=${at}&to=${later}`)).toBe(1)
  expect(await count(`?to=${at}`)).toBe(0)
  expect(await count(`?from=${later}`)).toBe(0)
  expect(await count(`?from=${encodeURIComponent('2026-05-01T12:00:00+02:00')}`)).toBe(1)
  for (const [query, field, message] of [
    ['from=2026-05-01', 'from', 'Write a time with its zone, such as 2026-11-22T00:00:00Z.'],
    ['to=yesterday', 'to', 'Write a time with its zone'],
    ['from=0000-01-01T00:00:00Z', 'from', 'outside the years 1 to 9999'],
    [`from=${at}&to=${at}`, 'to', 'This is not after `from`.'],
  ] as const)
    for (const path of ['', '/checks', '/export.csv']) {
      const refusal = await refused(request('GET', `${path}?${query}`))
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_request', field })
      expect(refusal.message).toContain(message)
    }
})

test('removed exports are listed on request, last removed first, with the time of their deletion', async () => {
  const { db, started, clock, list, request, act, checks, ctx } = await staticExportsApp()
  const first = await started({ domain: 'a.example' })
  const second = await started({ domain: 'b.example' })
  const kept = await started({ domain: 'c.example' })
  for (const { exportId } of [second, first]) {
    clock.ms += 1_000
    await request('DELETE', `/${exportId}`)
  }
  const removed = await list('?removed=true')
  expect(removed.items.map(({ domain }) => domain)).toEqual(['a.example', 'b.example'])
  expect(removed.items[0]).toMatchObject({
    removedAt: new Date(clock.ms).toISOString(),
    deletedAfter: new Date(clock.ms + 365 * 24 * 3_600_000).toISOString(),
  })
  expect(removed.counts).toMatchObject({ all: 1, removed: { count: 2 }, matching: { count: 2 } })
  const page = await list('?removed=true&limit=1')
  expect((await list(`?removed=true&limit=1&cursor=${page.nextCursor}`)).items).toMatchObject([{ domain: 'b.example' }])
  expect((await list('?removed=true&sort=oldest')).items[0]).toMatchObject({ domain: 'b.example' })
  expect((await list('?removed=true&q=b')).items).toMatchObject([{ domain: 'b.example' }])
  expect((await list('?q=b')).counts).toMatchObject({ removed: one, matching: { count: 0 } })
  expect((await checks('?removed=true')).map(({ nextCheckAt }) => nextCheckAt)).toEqual([null, null])
  expect((await list()).items).toMatchObject([{ exportId: kept.exportId }])
  expect((await list()).items[0]).not.toHaveProperty('removedAt')
  await act(second.exportId, 'restore')
  expect((await list('?removed=true')).items).toMatchObject([{ domain: 'a.example' }])
  const long = new Date(0)
  await db.update(staticExports).set({ removedAt: long, startedAt: long }).where(isNotNull(staticExports.removedAt))
  const readTag = async () => (await request('GET', '?removed=true')).headers.get('etag')
  const before = await readTag()
  expect(await purgeRemovedExports(ctx)).toBe(1)
  expect(await readTag()).not.toBe(before)
  expect((await list('?removed=true')).items).toEqual([])
})

test('a CSV file has every matching export and no formula', async () => {
  const { started, upstream, clock, request, nextCheck } = await staticExportsApp()
  const formula = '=HYPERLINK("https://evil.example","x")'
  const { exportId } = await started({ version: formula })
  upstream.has('job-1', { status: '+1', progress: 40 })
  await nextCheck(exportId)
  for (const domain of ['b.example', 'c.example']) await started({ domain })
  const file = await request('GET', '/export.csv?sort=oldest')
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="docket-exports-${new Date(clock.ms).toISOString().slice(0, 10)}.csv"`,
  })
  const [header, row, ...others] = (await file.text()).trimEnd().split('\r\n')
  expect(header).toMatch(/^started_at,domain,version,paths,state,/)
  expect(row).toContain(`docs.example.com,"'=HYPERLINK(""https://evil.example"",""x"")",,accepted,'+1,40,`)
  expect(others).toHaveLength(2)
  const matching = await (await request('GET', '/export.csv?domain=c.example')).text()
  expect(matching.trimEnd().split('\r\n')).toHaveLength(2)
})
