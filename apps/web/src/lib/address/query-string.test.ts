import { expect, test } from 'vitest'
import { parseQuery, pickTexts, printQuery } from './query-string.ts'

test('a query survives parsing and printing, and every value stays a string', () => {
  expect(parseQuery('?q=docs+two&count=12&on=true&x=%7B%7D')).toEqual({
    q: 'docs two',
    count: '12',
    on: 'true',
    x: '{}',
  })
  expect(printQuery(parseQuery('?q=docs+two&count=12&on=true'))).toBe('?q=docs+two&count=12&on=true')
})

test('the first of several values with one name is used, and empty values are not printed', () => {
  expect(parseQuery('?q=a&q=b&__proto__=c').q).toBe('a')
  expect(printQuery({ q: '', attention: false, group: undefined, sort: 'oldest', all: true })).toBe(
    '?sort=oldest&all=true',
  )
  expect(printQuery({})).toBe('')
})

test('only parameters with known names are picked', () => {
  expect(pickTexts({ q: 'a', x: 'b', group: 3 }, ['q', 'group', 'constructor'])).toEqual({
    q: 'a',
    group: '',
    constructor: '',
  })
})
