import { expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

test.each([
  '/',
  '/exports',
  '/exports?state=running&q=100%#row-3',
  '/?x=//y.example',
  '/exports?state=running&q=100%&sort=-startedAt#row-3',
  '/agent-jobs/proj%2Fwith%20slash/job-1',
  '/agent-jobs/a%5Cb/x',
  '/exports?next=https://elsewhere.example',
  '/settings/people#https://elsewhere.example',
  '/apiary',
  '/caf%C3%A9',
])('people return to %s, a page of this site', (path) => {
  expect(safeReturnTo(path)).toBe(path)
})

test('a page of this site is returned in normalised form', () => {
  expect(safeReturnTo('/exports/../agent-jobs/./x')).toBe('/agent-jobs/x')
  expect(safeReturnTo('/café')).toBe('/caf%C3%A9')
})

test.each([
  null,
  '',
  'exports',
  'https://elsewhere.example/',
  'https:/elsewhere.example',
  'https:elsewhere.example',
  'HTTPS://elsewhere.example',
  '//elsewhere.example',
  '///elsewhere.example',
  '////elsewhere.example/%2f..',
  '/\\elsewhere.example',
  '/\\/elsewhere.example',
  '\\/elsewhere.example',
  '\\\\elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '\t//elsewhere.example',
  ' //elsewhere.example',
  ' /exports',
  '/a b',
  '/exports\r\nSet-Cookie: a=b',
  '/exports%0d%0aSet-Cookie:%20a=b',
  '/\0',
  '/%00',
  '/%2Felsewhere.example',
  '/%2f%2felsewhere.example',
  '/%252Felsewhere.example',
  '/%25252Felsewhere.example',
  '/%25252525252Felsewhere.example',
  '/%2525252525252Felsewhere.example',
  '/%5Celsewhere.example',
  '/%5c%5celsewhere.example',
  '/%09/elsewhere.example',
  '/.//elsewhere.example',
  '/..//elsewhere.example',
  '/%2e%2e//elsewhere.example',
  '/%2E//elsewhere.example',
  '/a/..//elsewhere.example',
  '/a/../\\elsewhere.example',
  '/exports/..%2f..//elsewhere.example\\',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://docket.invalid/x',
  'about:blank',
  '@elsewhere.example',
  ':80',
  '?x=1',
  '#x',
  '/%',
  '/%E0%A4%A',
  '/%C0%AFelsewhere.example',
  '/api',
  '/api/agent-jobs',
  '/api/session',
  '/x/../api/session',
  '/%2561pi/session',
  '/API/status',
  '/exports/../api/status',
  '/%61pi/status',
  `/${'a'.repeat(2_000)}`,
  `/${'a'.repeat(3_000)}`,
])('%j leads to the first page', (text) => {
  expect(safeReturnTo(text)).toBe('/')
})

test('every accepted path stays on the same origin, even if it is resolved twice', () => {
  const parts = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '%09',
    'e.example',
    'a',
    '@',
    ':',
    '?',
    '#',
    '//',
    ';',
    '%25',
  ]
  let accepted = 0
  for (const a of parts)
    for (const b of parts)
      for (const c of parts)
        for (const d of parts) {
          const path = safeReturnTo(`/${a}${b}${c}${d}`)
          if (path !== '/') accepted += 1
          // Cheaper than 80,000 expectations.
          if (new URL(path, 'https://a.example').origin !== 'https://a.example' || safeReturnTo(path) !== path)
            throw new Error(`${a}${b}${c}${d} gave ${path}`)
        }
  expect(accepted).toBeGreaterThan(1_000)
})
