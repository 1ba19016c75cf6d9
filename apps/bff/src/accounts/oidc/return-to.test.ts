import { expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

test.for([
  '/',
  '/exports?state=running&q=100%#row-3',
  '/agent-jobs/proj%2Fwith%20slash/job-1',
  '/apiary',
  '/?x=//y.example',
])('the own page %s is where people come back to', (path) => {
  expect(safeReturnTo(path)).toBe(path)
})

test.for([
  '',
  'exports',
  'https://elsewhere.example/',
  'https:elsewhere.example',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '\\/elsewhere.example',
  '/%2Felsewhere.example',
  '/%252Felsewhere.example',
  '/%25252525252Felsewhere.example',
  '/%5celsewhere.example',
  '/.//elsewhere.example',
  '/a/..//elsewhere.example',
  '/\t/elsewhere.example',
  '/%09/elsewhere.example',
  ' //elsewhere.example',
  '/\u0000',
  '/%E0%A4%A',
  'javascript:alert(1)',
  '/api',
  '/api/session',
  '/API/session',
  '/%61pi/session',
  '/x/../api/session',
  '/exports\r\nSet-Cookie: a=b',
  '/exports%0d%0aSet-Cookie:%20a=b',
  `/${'a'.repeat(2_000)}`,
])('%j leads to the first page', (text) => {
  expect(safeReturnTo(text)).toBe('/')
})
