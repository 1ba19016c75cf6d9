import { expect, test } from 'vitest'
import { stabilizeRows, type Place } from './stable-rows.ts'

const fresh = (...rows: string[]): Place<string>[] => rows.map((row) => ({ id: row, row, last: row, part: 'one' }))
const unread = (part: string, count: number): Place<string>[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${part} ${index}`, row: null, last: null, part }))
const withPart = (part: string, rows: Place<string>[]) => rows.map((place) => ({ ...place, part }))
const print = (places: readonly Place<string>[]) =>
  places.map(({ row, last }) => row ?? (last === null ? '…' : `(${last})`))

test('a list that is not held shows its current rows', () => {
  expect(print(stabilizeRows(fresh('a', 'b'), fresh('c', 'a'), false))).toEqual(['c', 'a'])
})

test('a held list hides new rows for now and keeps the place of a removed row', () => {
  expect(print(stabilizeRows(fresh('a', 'b', 'c'), fresh('new', 'a', 'c'), true))).toEqual(['a', '(b)', 'c'])
})

test('a held list still adds the rows of the next page below', () => {
  expect(print(stabilizeRows(fresh('a', 'b'), fresh('a', 'b', 'c', 'd'), true))).toEqual(['a', 'b', 'c', 'd'])
})

test('a row that returns to a held list appears in its old place', () => {
  const gone = stabilizeRows(fresh('a', 'b'), fresh('a'), true)
  expect(print(stabilizeRows(gone, fresh('a'), true))).toEqual(['a', '(b)'])
  expect(print(stabilizeRows(gone, fresh('a', 'b'), true))).toEqual(['a', 'b'])
})

test('a held list that was empty shows new rows', () => {
  expect(print(stabilizeRows([], fresh('a'), true))).toEqual(['a'])
})

test('rows of a page that arrives late fill their placeholders and move no other row', () => {
  const before = [...fresh('a', 'b'), ...unread('two', 2), ...unread('three', 2)]
  const after = [...fresh('new', 'a', 'b'), ...withPart('two', fresh('c', 'd', 'e')), ...unread('three', 2)]
  expect(print(stabilizeRows(before, after, true))).toEqual(['a', 'b', 'c', 'd', 'e', '…', '…'])
})

test('each row of the last page, once read, is shown exactly once', () => {
  const before = [...fresh('a'), ...unread('two', 3)]
  expect(print(stabilizeRows(before, [...fresh('a'), ...withPart('two', fresh('b', 'c'))], true))).toEqual([
    'a',
    'b',
    'c',
  ])
})

test('in a held list, a row created by the user appears at once in its place, and others wait', () => {
  const own = new Set(['own', 'mine'])
  const places = stabilizeRows(fresh('a', 'b', 'c'), fresh('new', 'own', 'a', 'other', 'mine', 'c'), true, own)
  expect(print(places)).toEqual(['own', 'a', 'mine', '(b)', 'c'])
  expect(stabilizeRows(places, fresh('new', 'own', 'a', 'other', 'mine', 'c'), true, own)).toEqual(places)
})
