import { expect, test } from 'vitest'
import { parseQuery, printQuery } from '#lib/address/query-string.ts'
import { parseAuditSearch, toAuditQuery } from './audit-search.ts'

const parse = (query: string) => parseAuditSearch(parseQuery(query))

test('a search survives a round trip through the address, and unknown values are ignored', () => {
  const address = '?q=docs+site&action=static_export.started&outcome=ok&from=2026-11-01&to=2026-11-02'
  expect(printQuery(parse(address))).toBe(address)
  expect(printQuery(parse('?action=hack&outcome=maybe&from=yesterday&to=2026-99-01&x=1'))).toBe('')
})

test('the query covers whole days in the reader’s zone', () => {
  const { q, from, to } = toAuditQuery(parse('?from=2026-11-01&to=2026-11-01&q= x '))
  expect(Date.parse(to!) - Date.parse(from!)).toBe(86_400_000)
  expect(from).toBe(new Date(2026, 10, 1).toISOString())
  expect(q).toBe('x')
})
