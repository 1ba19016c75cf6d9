import { expect, test } from 'vitest'
import { arrange, type Place } from './stable-rows.ts'

const places = (rows: string[], before: readonly Place<string>[] = [], held = false) =>
  arrange(before, rows, (row) => row, held)
const shown = (list: readonly Place<string>[]) => list.map(({ id, row }) => (row === null ? `(${id})` : row))

test('a list that nobody points at shows its rows as they are', () => {
  expect(shown(places(['c', 'a'], places(['a', 'b'])))).toEqual(['c', 'a'])
})

test('while it is held, new rows wait and a row that is gone leaves its place', () => {
  expect(shown(places(['new', 'a', 'c'], places(['a', 'b', 'c']), true))).toEqual(['a', '(b)', 'c'])
})

test('rows of the next page are added below, also while it is held', () => {
  expect(shown(places(['a', 'b', 'c', 'd'], places(['a', 'b']), true))).toEqual(['a', 'b', 'c', 'd'])
})

test('a row that comes back while it is held is in its old place', () => {
  const gone = places(['a'], places(['a', 'b']), true)
  expect(shown(places(['a', 'b'], gone, true))).toEqual(['a', 'b'])
})

test('a held list that was empty shows what comes', () => {
  expect(shown(places(['a'], [], true))).toEqual(['a'])
})
