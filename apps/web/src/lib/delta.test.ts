import { expect, test } from 'vitest'
import { isDelta, rebuilt } from './delta.ts'

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const held = { items: [a, b, c, d], nextCursor: 'old', counts: { all: 4 } }
const delta = (change: object) => ({ base: 'tag', items: [], nextCursor: null, counts: { all: 4 }, ...change })

test('a page is rebuilt in order from what is new and the very same objects of what is not', () => {
  const fresh = { id: 'new' }
  const page = rebuilt(held, '"tag"', delta({ items: [fresh, [0, 1], [3, 3]], nextCursor: 'next' })) as typeof held
  expect(page).toEqual({ items: [fresh, a, b, d], nextCursor: 'next', counts: { all: 4 } })
  expect(page.items[1]).toBe(a)
  expect(page.items[3]).toBe(d)
})

test('a held row with other values of some fields keeps its other fields', () => {
  const long = { ...held, items: [{ id: 'a', progress: 1, page: 2 }, b] }
  const page = rebuilt(
    long,
    '"tag"',
    delta({
      items: [
        [1, 1],
        [0, { progress: 5 }],
      ],
    }),
  ) as typeof long
  expect(page.items).toEqual([b, { id: 'a', progress: 5, page: 2 }])
  expect(long.items[0]).toEqual({ id: 'a', progress: 1, page: 2 })
})

test('held rows may come in another order', () => {
  expect(
    rebuilt(
      held,
      '"tag"',
      delta({
        items: [
          [2, 3],
          [0, 1],
        ],
      }),
    ),
  ).toMatchObject({ items: [c, d, a, b] })
})

test('a tag that was made weak on its way is still the same tag', () => {
  expect(rebuilt(held, 'W/"tag"', delta({ items: [[0, 3]] }))).toMatchObject({ items: held.items })
})

test.each<[string, object]>([
  ['builds on another page', { base: 'other' }],
  ['names no page', { base: null }],
  ['names rows that are not held', { items: [[0, 4]] }],
  ['counts from below the first row', { items: [[-1, 2]] }],
  ['has a range that ends before it begins', { items: [[2, 1]] }],
  ['has a range of fractions', { items: [[0.5, 1.5]] }],
  ['has a range of words', { items: [['0', '1']] }],
  ['has a range of three', { items: [[0, 1, 2]] }],
  [
    'names a row twice',
    {
      items: [
        [0, 2],
        [1, 3],
      ],
    },
  ],
  ['changes a row that is not held', { items: [[4, { id: 'x' }]] }],
  [
    'changes a row that it also names',
    {
      items: [
        [0, 1],
        [1, { id: 'x' }],
      ],
    },
  ],
  ['has a row that is none', { items: [null] }],
  ['has a row that is a word', { items: ['a'] }],
  ['has no rows', { items: { length: 0 } }],
  ['tells no counts', { counts: null }],
  ['does not say where the list goes on', { nextCursor: undefined }],
])('a delta that %s is refused', (_, change) => {
  const hostile = delta(change) as Record<string, unknown>
  if (hostile['nextCursor'] === undefined) delete hostile['nextCursor']
  expect(rebuilt(held, '"tag"', hostile)).toBeNull()
})

test('what is held must be a list', () => {
  for (const other of [null, 'text', [], {}, { items: 3 }]) expect(rebuilt(other, '"tag"', delta({}))).toBeNull()
})

test('a whole page is no delta', () => {
  expect(isDelta(held)).toBe(false)
  expect(isDelta([])).toBe(false)
  expect(isDelta(delta({}))).toBe(true)
})
