import { expect, test } from 'vitest'
import {
  isFiltered,
  parseListSearch,
  printListSearch,
  toListQuery,
  keepSupportedParams,
  withoutFilters,
} from './list-search.ts'
import { parseQuery } from './query-string.ts'

const parse = (query: string) => parseListSearch(parseQuery(query))

const everything =
  '?connection=c1&q=docs+two&group=failed&domain=a.example&repository=https%3A%2F%2Fg%2Fr&model=m&projectId=p&sort=oldest&dates=7d&attention=true&removed=true&findings=true'

test('a search survives a round trip through the address', () => {
  expect(printListSearch(parse(everything))).toBe(everything)
  expect(printListSearch(parse(''))).toBe('')
})

test('parameters that do not belong to the list are dropped', () => {
  expect(printListSearch(parse('?utm=1&attention=perhaps&q='))).toBe('')
})

test('a choice that the list does not offer is ignored', () => {
  const supported = { groups: { failed: 'Failed' }, sorts: { newest: 'Newest first' }, fields: ['domain' as const] }
  const search = keepSupportedParams(parse(everything), supported)
  expect(printListSearch(search)).toBe(
    '?connection=c1&q=docs+two&group=failed&domain=a.example&dates=7d&attention=true&removed=true',
  )
  expect(keepSupportedParams(parse('?group=constructor'), supported).group).toBe('')
  expect(keepSupportedParams(parse(everything), { ...supported, findings: true }).findings).toBe(true)
})

test('connection and sort order are not filters, and stay when the filters are cleared', () => {
  expect(isFiltered(parse('?sort=oldest&connection=c1'))).toBe(false)
  expect(isFiltered(parse('?attention=true'))).toBe(true)
  expect(isFiltered(parse('?findings=true'))).toBe(true)
  expect(printListSearch(withoutFilters(parse(everything)))).toBe('?connection=c1&sort=oldest')
})

test('the query for a page contains the filter and both cursors', () => {
  expect(toListQuery({})).toEqual({ q: '' })
  const search = { ...parse(''), q: `  ${'a'.repeat(300)} ` }
  expect(toListQuery(search, { from: 'c1', until: 'c2' })).toEqual({ q: 'a'.repeat(200), cursor: 'c1', until: 'c2' })
})
