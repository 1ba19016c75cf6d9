import { expect, test } from 'vitest'
import { domainIn, originIn, projectIn, variableIn } from './snippet-choice.ts'

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

test('no text that could end a quotation comes through', () => {
  for (const check of [domainIn, originIn, projectIn, variableIn])
    for (const text of hostile) expect(check(text) ?? 'x').toMatch(/^[\w.~:@/[\]-]+$/)
})

test('what people paste becomes what a script needs', () => {
  expect(domainIn(' https://Döcs.example.com/guide?x=1 ')).toBe('xn--dcs-sna.example.com')
  expect(domainIn('')).toBeNull()
  expect(originIn('https://docket.example.com/settings/tokens')).toBe('https://docket.example.com')
  expect(originIn('http://[::1]:3000/')).toBe('http://[::1]:3000')
  expect(originIn('javascript:alert(1)')).toBeNull()
  expect(projectIn('proj_1')).toBe('proj_1')
  expect([variableIn('DOCKET_TOKEN'), variableIn('docket-token'), variableIn('GITHUB_TOKEN')]).toEqual([
    'DOCKET_TOKEN',
    null,
    null,
  ])
})
