import { afterAll, expect, test, vi } from 'vitest'
import { get } from './api.ts'

type Answer = { status?: number; etag?: string; delta?: boolean; body?: unknown }

const asked: Headers[] = []
let answers: Answer[] = []
vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
  asked.push(new Headers(init.headers))
  const { status = 200, etag, delta, body } = answers.shift() ?? { status: 500 }
  const headers = new Headers({ 'content-type': 'application/json' })
  if (etag !== undefined) headers.set('etag', etag)
  if (delta) headers.set('preference-applied', 'delta')
  return Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status, headers }))
})
afterAll(() => void vi.unstubAllGlobals())

type Page = { items: { id: string }[]; nextCursor: string | null; counts: object }
let paths = 0

/** A path that was never asked for, and what the server answers on it, one after the other. */
const reading = (...next: Answer[]) => {
  asked.length = 0
  answers = next
  const path = `/api/list-${(paths += 1)}`
  return () => get<Page>(path)
}

const first = { etag: '"one"', body: { items: [{ id: 'a' }, { id: 'b' }], nextCursor: null, counts: {} } }
const delta = (base: string, items: unknown[]): Answer => ({
  etag: '"two"',
  delta: true,
  body: { base, items, nextCursor: null, counts: {} },
})

test('an unchanged list is the very same object', async () => {
  const read = reading(first, { status: 304, etag: '"one"' })
  const page = await read()
  expect(await read()).toBe(page)
  expect(asked.map((headers) => headers.get('prefer'))).toEqual([null, 'delta'])
  expect(asked.map((headers) => headers.get('if-none-match'))).toEqual([null, '"one"'])
})

test('of a changed list only the changed rows travel, and the next change builds on the result', async () => {
  const read = reading(first, delta('one', [{ id: 'c' }, [0, 1]]), {
    ...delta('two', [
      [0, 0],
      [2, 2],
    ]),
    etag: '"three"',
  })
  const page = await read()
  const second = await read()
  expect(second.items.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  expect(second.items[1]).toBe(page.items[0])
  const third = await read()
  expect(third.items.map(({ id }) => id)).toEqual(['c', 'b'])
  expect(third.items[1]).toBe(page.items[1])
})

test('a delta that does not fit is thrown away, and the whole list is asked for once', async () => {
  const read = reading(first, delta('another', [[0, 1]]), { ...first, etag: '"three"' })
  await read()
  expect(await read()).toEqual(first.body)
  expect(asked.map((headers) => headers.get('prefer'))).toEqual([null, 'delta', null])
  expect(asked.map((headers) => headers.get('if-none-match'))).toEqual([null, '"one"', null])
})

test('a whole page in spite of the wish for a delta is taken as it is', async () => {
  const whole = { etag: '"two"', body: { items: [{ id: 'z' }], nextCursor: null, counts: {} } }
  const read = reading(first, whole)
  await read()
  expect(await read()).toEqual(whole.body)
})

test('what is no list is never asked for in parts', async () => {
  const read = reading({ etag: '"one"', body: { id: 'a' } }, { status: 304 })
  await read()
  await read()
  expect(asked.map((headers) => headers.get('prefer'))).toEqual([null, null])
  expect(asked.map((headers) => headers.get('if-none-match'))).toEqual([null, '"one"'])
})
