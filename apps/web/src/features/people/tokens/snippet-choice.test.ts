import { expect, test } from 'vitest'
import { parseDomain, parseOrigin, parseProjectId, parseVariable } from './snippet-choice.ts'

const hostile = [
  "a'b",
  'a"b',
  'a$(id)',
  'a`id`',
  'a;b',
  'a b',
  'a\nb',
  'a\\b',
  '${{ secrets.X }}',
  'a#b',
  '*a',
  '&a',
  "http://a'b/",
  'http://a$b/',
]

test('text that could end a quotation is rejected', () => {
  for (const check of [parseDomain, parseOrigin, parseProjectId, parseVariable])
    for (const text of hostile) expect(check(text) ?? 'x').toMatch(/^[\w.~:@/[\]-]+$/)
})

test('pasted domains are normalised for the scripts', () => {
  expect(parseDomain(' https://Döcs.example.com/guide?x=1 ')).toBe('xn--dcs-sna.example.com')
  expect(parseDomain('')).toBeNull()
  expect(parseOrigin('https://docket.example.com/settings/tokens')).toBe('https://docket.example.com')
  expect(parseOrigin('http://[::1]:3000/')).toBe('http://[::1]:3000')
  expect(parseOrigin('javascript:alert(1)')).toBeNull()
  expect(parseProjectId('proj_1')).toBe('proj_1')
  expect([parseVariable('DOCKET_TOKEN'), parseVariable('docket-token'), parseVariable('GITHUB_TOKEN')]).toEqual([
    'DOCKET_TOKEN',
    null,
    null,
  ])
})
