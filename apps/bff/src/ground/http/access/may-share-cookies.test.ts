import { expect, test } from 'vitest'
import { mayShareCookies } from './other-hosts.ts'

test.for([
  ['docket.example.com', 'preview.example.com', true],
  ['docket.example.com', 'example.com', true],
  ['docket.example.com', 'docs-preview.example', false],
  ['docket.example.com', 'example.net', false],
  ['docket-0123.localhost', 'previews-4567.localhost', false],
  ['localhost', 'previews.localhost', true],
  ['docket', 'previews.internal', false],
  ['127.0.0.1', 'previews.localhost', false],
  ['docket.a.co.uk', 'preview.b.co.uk', true],
] as const)('%s and %s may share cookies: %s', ([one, other, expected]) => {
  expect([mayShareCookies(one, other), mayShareCookies(other, one)]).toEqual([expected, expected])
})
