import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ListRange } from '#lib/address/list-search.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { createLivePages } from './live-pages.ts'
import { firstSlot, combinePages, type Page, type PageSlot } from './pages.ts'
import { readPage, type PageContext } from './read-page.ts'

type Item = { id: string; at: number; live?: boolean }
type Row = Item & { nextCheckAt: string | null }
type Counts = { all: number; active: number; matching: null }

const pageSize = 5
const getId = ({ id }: { id: string }) => id
const kind = {
  getId,
  isLive: ({ live }: Row) => live ?? false,
  withCheck: (item: Item, check: { nextCheckAt: string | null } | undefined) => ({
    ...item,
    nextCheckAt: check?.nextCheckAt ?? null,
  }),
}

/** A server with a list, the latest first; a cursor is the place of a row, whether the row is still there or not. */
const listServer = (first: Item[]) => {
  const server = { rows: first, checkReads: 0, nextCheckAt: null as string | null, refused: false, onRead: () => {} }
  const range = ({ from, until }: ListRange) =>
    server.rows.filter(({ at }) => (from === null || at < Number(from)) && (until === null || at >= Number(until)))
  const page = async (request: ListRange): Promise<Page<Item, Counts>> => {
    if (server.refused && (request.from ?? request.until) !== null)
      throw new ApiError('invalid_request', 'No page handed out this cursor.', {})
    const found = range(request)
    server.onRead()
    const items = found.slice(0, pageSize).map((row) => ({ ...row }))
    const nextCursor = found.length > pageSize ? String(items.at(-1)!.at) : null
    return { items, nextCursor, counts: { all: server.rows.length, active: 0, matching: null } }
  }
  const checks = async (request: ListRange) => {
    server.checkReads += 1
    return range(request)
      .slice(0, pageSize)
      .map(({ id }) => ({ id, nextCheckAt: server.nextCheckAt }))
  }
  const read = (request: ListRange, context: PageContext) =>
    readPage<Item, { id: string; nextCheckAt: string | null }, Row, Counts>(
      kind,
      { page: () => page(request), checks: () => checks(request) },
      context,
    )
  return { server, read, set: (rows: Item[]) => (server.rows = rows.toSorted((a, b) => b.at - a.at)) }
}

const upTo = (count: number): Item[] => Array.from({ length: count }, (_, at) => ({ id: `row-${at}`, at })).toReversed()
const byId = (rows: readonly Item[]) => rows.map(getId)

/** A list of `count` rows of which `pages` pages are loaded. */
const startedWith = async (count: number, pages: number) => {
  const { server, read, set } = listServer(upTo(count))
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, structuralSharing: false } } })
  const live = createLivePages<Row, Counts>(client, { queryKey: ['list'], read, getId, isLive: kind.isLive })
  const slots = () => client.getQueryData<readonly PageSlot<Row>[]>(live.slotsKey) ?? [firstSlot]
  const list = () =>
    combinePages(
      'list',
      slots(),
      slots().map(({ from }) => client.getQueryData<Page<Row, Counts>>(live.pageKey(from))),
    )
  const fetch = ({ from }: PageSlot<Row>) =>
    client.fetchQuery({ queryKey: live.pageKey(from), queryFn: (context) => live.read(from, context) })
  /** Reads the wanted pages, and then those that were never read, as the hook does. */
  const poll = async (isWanted: (slot: PageSlot<Row>) => boolean = () => true) => {
    await Promise.all(slots().filter(isWanted).map(fetch))
    while (slots().some(live.isNew)) await Promise.all(slots().filter(live.isNew).map(fetch))
  }
  const goOn = async () => {
    live.goOn()
    await poll(() => false)
  }
  await poll()
  for (let page = 1; page < pages; page += 1) await goOn()
  const visibleRows = () => list().pages.flatMap(({ rows }) => rows ?? [])
  return { server, set, client, live, list, visibleRows, poll, goOn }
}

test('consecutive pages have no gap or overlap, and the last one ends the list', async () => {
  const { server, list, visibleRows, goOn } = await startedWith(23, 5)
  expect(byId(visibleRows())).toEqual(byId(server.rows))
  expect([list().next, list().pages.length]).toEqual([null, 5])
  await goOn()
  expect(list().pages).toHaveLength(5)
})

test('rereading a page keeps the identity of an unchanged page, and of the unchanged rows of a changed one', async () => {
  const { server, set, list, visibleRows, poll } = await startedWith(12, 3)
  const before = list().pages.map(({ rows }) => rows)
  await poll()
  expect(list().pages.every(({ rows }, index) => rows === before[index])).toBe(true)
  const known = new Set(visibleRows())
  const others = server.rows.filter(({ id }) => id !== 'row-8')
  set([...others.map((row) => (row.id === 'row-4' ? { ...row, live: true } : row)), { id: 'new', at: 99 }])
  await poll()
  expect(byId(visibleRows().filter((row) => !known.has(row)))).toEqual(['new', 'row-4'])
})

test('many new rows at the start of the list push no row out, but form further pages before the old ones', async () => {
  const { server, set, visibleRows, poll } = await startedWith(12, 3)
  set(upTo(120))
  await poll(({ from }) => from === null)
  expect(byId(visibleRows())).toEqual(byId(server.rows))
})

test('a page that is not polled keeps its rows, without gaps or duplicates at its borders', async () => {
  const { set, visibleRows, poll, server } = await startedWith(25, 5)
  set(upTo(28).filter(({ at }) => at !== 23 && at !== 12))
  await poll(({ from }) => from === null)
  expect(byId(visibleRows())).toEqual(byId(upTo(28).filter(({ at }) => at !== 23)))
  await poll()
  expect(byId(visibleRows())).toEqual(byId(server.rows))
})

test('a page whose end changes during a read is read again', async () => {
  const { server, visibleRows, live, poll, set } = await startedWith(12, 1)
  set(upTo(13))
  server.onRead = () => {
    server.onRead = () => {}
    live.goOn()
  }
  await poll()
  expect(byId(visibleRows())).toEqual(byId(server.rows.slice(0, 11)))
})

test('a cursor that the server rejects restarts the list', async () => {
  const { server, list, visibleRows, poll } = await startedWith(12, 3)
  server.refused = true
  await poll().catch(() => undefined)
  await poll()
  expect([list().pages.length, byId(visibleRows())]).toEqual([1, byId(server.rows.slice(0, 5))])
})

test('check times are read with a new page, while a row is live or due, and after a change by a user', async () => {
  const { server, set, client, poll } = await startedWith(3, 1)
  const reads = async () => {
    const before = server.checkReads
    await poll()
    return server.checkReads - before
  }
  expect([server.checkReads, await reads()]).toEqual([1, 0])
  await client.invalidateQueries({ queryKey: ['list'], refetchType: 'none' })
  server.nextCheckAt = new Date(Date.now() + 3_600_000).toISOString()
  expect([await reads(), await reads()]).toEqual([1, 0])
  set([...server.rows, { id: 'live', at: 99, live: true }])
  expect([await reads(), await reads()]).toEqual([1, 1])
  set(server.rows.map((row) => ({ ...row, live: false })))
  server.nextCheckAt = new Date(0).toISOString()
  expect([await reads(), await reads()]).toEqual([1, 1])
})

test('polling pages in any order while rows appear and disappear produces a complete list', async () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const { server, set, list, visibleRows, poll, goOn } = await startedWith(30, 4)
  let newest = 30
  for (let step = 0; step < 400; step += 1) {
    const change = random()
    if (change < 0.4) set([...server.rows, { id: `row-${newest}`, at: newest++ }])
    else if (change < 0.6) set(server.rows.filter(() => random() > 0.03))
    await (random() < 0.2 ? goOn() : poll(({ from }) => from === null || random() < 0.3))
    const places = visibleRows().map(({ at }) => at)
    expect(new Set(places).size).toBe(places.length)
    expect(places).toEqual(places.toSorted((a, b) => b - a))
  }
  await poll()
  while (list().next !== null) await goOn()
  expect(byId(visibleRows())).toEqual(byId(server.rows))
})
