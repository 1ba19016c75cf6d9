import { expect, test } from 'vitest'
import { hidesFindings, parseFindingsSearch, toFindingsQuery } from './findings-search.ts'

test('valid filters are read from the address, and invalid ones are ignored', () => {
  expect(parseFindingsSearch({ level: 'leaks', state: 'new', accepted: 'any', page: '/guide/', limit: '9' })).toEqual({
    ...parseFindingsSearch({}),
    level: 'leaks',
    state: 'new',
    accepted: 'any',
    page: '/guide/',
  })
  expect(parseFindingsSearch({ level: 'worst', state: 'old', accepted: 'false', q: 3 })).toEqual(
    parseFindingsSearch({}),
  )
})

test('accepted findings are hidden unless the address includes them', () => {
  const ask = (accepted: string) => toFindingsQuery(parseFindingsSearch({ accepted })).accepted
  expect([ask(''), ask('true'), ask('any')]).toEqual(['false', 'true', undefined])
})

test('a filter counts as active only if it hides findings that are shown by default', () => {
  expect(hidesFindings(parseFindingsSearch({}))).toBe(false)
  expect(hidesFindings(parseFindingsSearch({ accepted: 'any', q: '  ' }))).toBe(false)
  expect(hidesFindings(parseFindingsSearch({ accepted: 'true' }))).toBe(true)
  expect(hidesFindings(parseFindingsSearch({ page: '/' }))).toBe(true)
})

test('texts from the address are cut to the lengths that the server accepts', () => {
  const { q, rule, page } = toFindingsQuery(
    parseFindingsSearch({ q: 'x'.repeat(300), rule: 'r'.repeat(300), page: '/'.repeat(5000) }),
  )
  expect([q?.length, rule?.length, page?.length]).toEqual([200, 100, 4000])
})
