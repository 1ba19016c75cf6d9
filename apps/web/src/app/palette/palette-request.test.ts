import { expect, test } from 'vitest'
import { readHostname } from '#lib/address/hostname.ts'
import { findDomains, matchesText, parseRequest } from './palette-request.ts'

test('a leading verb requests an action only if a search text follows it', () => {
  expect(parseRequest(' Export  handbook ')).toEqual({ verb: 'export', search: 'handbook' })
  expect(parseRequest('download the latest of docs.example.com').search).toBe('docs.example.com')
  expect(parseRequest('download the latest bundle of docs.example.com').search).toBe('docs.example.com')
  expect(parseRequest('export')).toEqual({ verb: null, search: 'export' })
  expect(parseRequest('globex-12')).toEqual({ verb: null, search: 'globex-12' })
})

test('punctuation alone starts no search, because the server would list everything', () => {
  expect(parseRequest('--').search).toBe('')
  expect(parseRequest('   ').search).toBe('')
})

test('words match the beginnings of words, in any order and alphabet', () => {
  expect(matchesText('exa docs', ['docs.example.com'])).toBe(true)
  expect(matchesText('xample', ['docs.example.com'])).toBe(false)
  expect(matchesText('café', ['docs.café.example', null])).toBe(true)
})

test('a new export is offered only for a hostname or an address that contains one', () => {
  expect(readHostname('https://Docs.Example.com:8080/guide')).toBe('docs.example.com')
  expect(readHostname('bücher.example')).toBe('xn--bcher-kva.example')
  expect(['globex-12', 'v1.2', '10.0.0.1', 'docs example.com', '.'].map(readHostname)).toEqual(
    Array.from({ length: 5 }, () => null),
  )
})

test('a typed domain is listed first, once, and marked as exported before or not', () => {
  const found = [{ domain: 'docs.example.com', domainUnicode: null }]
  expect(findDomains('docs.example.com', found, ['docs.example.com'])).toEqual([
    { domain: 'docs.example.com', label: 'docs.example.com', isKnown: true },
  ])
  expect(findDomains('new.example.com', found, ['docs.example.com'])).toEqual([
    { domain: 'new.example.com', label: 'new.example.com', isKnown: false },
  ])
  // Found by its job id: the reader named no domain.
  expect(findDomains('run-17', found, ['docs.example.com'])).toEqual([])
  expect(findDomains('', found, ['docs.example.com'])).toEqual([])
  const many = ['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`)
  expect(findDomains('example', found, many)).toHaveLength(3)
})
