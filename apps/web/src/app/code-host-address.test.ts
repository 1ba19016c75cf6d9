import { expect, test } from 'vitest'
import { codeHostAddress } from './code-host-address.ts'

const own = 'http://127.0.0.1:4000'

test('pages of the embedded code host are opened through Docket, and any other address as it is', () => {
  expect(codeHostAddress(`${own}/docket/docs/pulls/1`, own)).toBe('/api/code-host/open?to=%2Fdocket%2Fdocs%2Fpulls%2F1')
  expect(codeHostAddress(own, own)).toBe('/api/code-host/open?to=%2F')
  expect(codeHostAddress(`${own}/docket/docs?state=all#x`, own)).toBe(
    '/api/code-host/open?to=%2Fdocket%2Fdocs%3Fstate%3Dall',
  )
  for (const other of [
    'http://127.0.0.1:40001/docket/docs',
    'https://127.0.0.1:4000/docket/docs',
    'http://127.0.0.1:4000@evil.example/',
    'https://github.com/acme/docs/pull/1',
  ])
    expect(codeHostAddress(other, own)).toBe(other)
  expect(codeHostAddress(own, undefined)).toBe(own)
})
