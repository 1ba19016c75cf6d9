import { expect, test } from 'vitest'
import { isFiltered, listPath, parseListSearch, printListSearch, understood, withoutFilters } from './list-search.ts'

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
  const offered = { groups: ['failed'], sorts: ['newest'], fields: ['domain' as const] }
  const search = understood(parseListSearch(everything), offered)
  expect(printListSearch(search)).toBe('?q=docs+two&group=failed&domain=a.example&attention=true')
  expect(understood(parseListSearch('?group=constructor'), offered).group).toBe('')
})

test('an order is not a filter, and stays when the filters go', () => {
  expect(isFiltered(parseListSearch('?sort=oldest'))).toBe(false)
  expect(isFiltered(parseListSearch('?attention=true'))).toBe(true)
  expect(printListSearch(withoutFilters(parseListSearch(everything)))).toBe('?sort=oldest')
})

test('the address of a part carries the filter and both cursors', () => {
  expect(listPath('/api/x', {}, { from: null, until: null })).toBe('/api/x')
  const search = { ...parseListSearch(''), q: `  ${'a'.repeat(300)} ` }
  expect(listPath('/api/x', search, { from: 'c+1', until: 'c2' })).toBe(
    `/api/x?q=${'a'.repeat(200)}&cursor=c%2B1&until=c2`,
  )
})
