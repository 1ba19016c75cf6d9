import { expect, test } from 'vitest'
import { noTiles, readTiles, withAnswer, withNext, type ListPart, type Tile, type Tiles } from './tiles.ts'

type Row = { id: string; at: number }
type Counts = { all: number }
type List = Tiles<Row, Counts>

const pageSize = 5
const idOf = ({ id }: Row) => id

/** A server with a list, the latest first; a cursor is the place of a row, whether the row is still there or not. */
const listServer = () => {
  let rows: Row[] = []
  let reads = 0
  const read = async ({ from, until }: Pick<Tile<Row>, 'from' | 'until'>): Promise<ListPart<Row, Counts>> => {
    reads += 1
    const range = rows.filter(
      ({ at }) => (from === null || at < Number(from)) && (until === null || at >= Number(until)),
    )
    const items = range.slice(0, pageSize).map((row) => ({ ...row }))
    return {
      items,
      nextCursor: range.length > pageSize ? String(items.at(-1)!.at) : null,
      counts: { all: rows.length },
    }
  }
  return {
    read,
    reads: () => reads,
    rows: () => rows,
    set: (next: Row[]) => (rows = next.toSorted((a, b) => b.at - a.at)),
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `row-${at}`, at }))
const shown = (list: List) => list.tiles.flatMap(({ rows }) => rows ?? [])

const reader = (server: ReturnType<typeof listServer>) => {
  let list: List = noTiles('all')
  return {
    list: () => list,
    poll: async (isWanted: (tile: Tile<Row>) => boolean = () => true) => {
      list = await readTiles({ current: () => list, isWanted, read: server.read, idOf })
    },
    goOn: async () => {
      list = withNext(list)
      list = await readTiles({ current: () => list, isWanted: ({ rows }) => rows === null, read: server.read, idOf })
    },
  }
}

const startedWith = async (count: number, pages: number) => {
  const server = listServer()
  server.set(upTo(count))
  const reading = reader(server)
  await reading.poll()
  for (let page = 1; page < pages; page += 1) await reading.goOn()
  return { server, ...reading }
}

test('pages that are read one after the other meet, and the last one ends the list', async () => {
  const { server, list, goOn } = await startedWith(23, 5)
  expect(shown(list())).toEqual(server.rows())
  expect(list().next).toBeNull()
  expect(list().tiles).toHaveLength(5)
  await goOn()
  expect(list().tiles).toHaveLength(5)
})

test('an unchanged list is the very same object', async () => {
  const { list, poll } = await startedWith(12, 3)
  const before = list()
  await poll()
  expect(list()).toBe(before)
})

test('a row that changes is the only new object', async () => {
  const { server, list, poll } = await startedWith(12, 3)
  const before = shown(list())
  server.set(server.rows().map((row) => (row.id === 'row-4' ? { ...row, state: 'done' } : row)))
  await poll()
  const after = shown(list())
  expect(after.filter((row, index) => row !== before[index]).map(idOf)).toEqual(['row-4'])
})

test('many new rows at the head push nothing out: more pages stand before the old ones', async () => {
  const { server, list, poll } = await startedWith(12, 3)
  server.set(upTo(32))
  await poll()
  expect(shown(list())).toEqual(server.rows())
})

test('while more pages than one poll reads stand before the old ones, no known row is lost', async () => {
  const { server, list, poll } = await startedWith(12, 3)
  server.set(upTo(120))
  await poll()
  const known = new Set(shown(list()).map(idOf))
  expect(upTo(12).filter(({ id }) => !known.has(id))).toEqual([])
  for (let polls = 0; polls < 5; polls += 1) await poll()
  expect(shown(list())).toEqual(server.rows())
})

test('a page that is not polled keeps its rows, and there is no hole or duplicate beside it', async () => {
  const { server, list, poll } = await startedWith(25, 5)
  server.set(upTo(28).filter(({ at }) => at !== 23 && at !== 12))
  await poll(({ from }) => from === null)
  const ids = shown(list()).map(idOf)
  expect(ids).toEqual(
    upTo(28)
      .filter(({ at }) => at !== 23)
      .toReversed()
      .map(idOf),
  )
  await poll()
  expect(shown(list())).toEqual(server.rows())
})

test('an answer for a part that was cut meanwhile is thrown away', async () => {
  const { list } = await startedWith(12, 2)
  const stale = { items: [{ id: 'old', at: 99 }], nextCursor: null, counts: { all: 1 } }
  expect(withAnswer(list(), { from: null, until: null, part: stale }, idOf)).toBe(list())
})

test('the list is cut while one page is on its way', async () => {
  const { server, list } = await startedWith(12, 1)
  let held = list()
  const slow = readTiles({
    current: () => held,
    isWanted: () => true,
    read: async (tile) => {
      const part = await server.read(tile)
      held = withNext(held)
      return part
    },
    idOf,
  })
  held = await slow
  held = await readTiles({ current: () => held, isWanted: () => true, read: server.read, idOf })
  expect(shown(held)).toEqual(server.rows().slice(0, 10))
})

test('what polls a part of the pages, in any order, while rows come and go, ends with the whole list', async () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const { server, list, poll, goOn } = await startedWith(30, 4)
  let newest = 30
  for (let step = 0; step < 400; step += 1) {
    const change = random()
    if (change < 0.4) server.set([...server.rows(), { id: `row-${newest}`, at: newest++ }])
    else if (change < 0.6) server.set(server.rows().filter(() => random() > 0.03))
    await (random() < 0.2 ? goOn() : poll(({ from }) => from === null || random() < 0.3))
    const ids = shown(list()).map(idOf)
    expect(new Set(ids).size).toBe(ids.length)
    expect(shown(list()).map(({ at }) => at)).toEqual(
      shown(list())
        .map(({ at }) => at)
        .toSorted((a, b) => b - a),
    )
  }
  for (let polls = 0; polls < 30; polls += 1) await poll()
  while (list().next !== null) await goOn()
  expect(shown(list())).toEqual(server.rows())
})
