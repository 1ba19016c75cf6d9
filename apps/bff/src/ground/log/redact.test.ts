import { expect, test } from 'vitest'
import { holdsSecret } from './redact.ts'

const key = 'adm_canary/7f3a+9c51e2-do-not-leak'
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['as it is', key],
  ['in capitals', key.toUpperCase()],
  ['percent-encoded', encodeURIComponent(key)],
  ['percent-encoded where it need not be', key.replaceAll('a', '%61')],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ['in base64', base64(key)],
  ['in base64, percent-encoded', encodeURIComponent(base64(key))],
  ['in base64url', Buffer.from(key).toString('base64url')],
  ['as basic credentials', base64(`:${key}`)],
  ['as bearer credentials', base64(`Bearer ${key}\n`)],
  ['in base64 after one more byte', base64(`ab${key}cd`)],
  ['in hexadecimal', Buffer.from(key).toString('hex').toUpperCase()],
])('a link that contains a secret %s is recognised', (_, spelling) => {
  for (const link of [
    `https://store.example/b.tar.gz?sig=${spelling}&x=1`,
    `https://store.example/${spelling}/b.tar.gz`,
  ])
    expect(holdsSecret(link, ['another-key', key])).toBe(true)
})

test('an ordinary presigned link contains no known secret, and short words do not count as secrets', () => {
  const link = `https://store.example/b.tar.gz?X-Amz-Credential=AKIA%2F20260101&X-Amz-Signature=${'7c1d0'.repeat(12)}`
  expect(holdsSecret(link, [key, 'store'])).toBe(false)
  expect(holdsSecret(`${link}&hint=${key.slice(-12)}`, [key])).toBe(false)
})
