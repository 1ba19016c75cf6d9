import { expect, test } from 'vitest'
import { isFiltered, parseListSearch, printListSearch, toListQuery, understood, withoutFilters } from './list-search.ts'

const everything =
  '?q=docs+two&group=failed&domain=a.example&repository=https%3A%2F%2Fg%2Fr&model=m&sort=oldest&attention=true'

test('an address says everything that was chosen, and says it again', () => {
  expect(printListSearch(parseListSearch(everything))).toBe(everything)
  expect(printListSearch(parseListSearch(''))).toBe('')
})

test('what is not about the list is left out', () => {
  expect(printListSearch(parseListSearch('?utm=1&attention=perhaps&q='))).toBe('')
})

test('a choice that the list does not offer counts as none', () => {
  const offered = { groups: { failed: 'Failed' }, sorts: { newest: 'Newest first' }, fields: ['domain' as const] }
  const search = understood(parseListSearch(everything), offered)
  expect(printListSearch(search)).toBe('?q=docs+two&group=failed&domain=a.example&attention=true')
  expect(understood(parseListSearch('?group=constructor'), offered).group).toBe('')
})

test('an order is not a filter, and stays when the filters go', () => {
  expect(isFiltered(parseListSearch('?sort=oldest'))).toBe(false)
  expect(isFiltered(parseListSearch('?attention=true'))).toBe(true)
  expect(printListSearch(withoutFilters(parseListSearch(everything)))).toBe('?sort=oldest')
})

test('the query of a part carries the filter and both cursors', () => {
  expect(toListQuery({})).toEqual({ q: '' })
  const search = { ...parseListSearch(''), q: `  ${'a'.repeat(300)} ` }
  expect(toListQuery(search, { from: 'c1', until: 'c2' })).toEqual({ q: 'a'.repeat(200), cursor: 'c1', until: 'c2' })
})
