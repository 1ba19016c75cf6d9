import { expect, test } from 'vitest'
import { readTheirNow } from './clock.ts'

test('another machine’s clock shows the date of its response, moved on by the age that a cache added', () => {
  const read = (headers: Record<string, string>) => readTheirNow((name) => headers[name])
  const date = 'Thu, 01 Jan 2026 01:00:00 GMT'
  const sentMs = Date.parse(date)
  expect(read({ date })).toBe(sentMs)
  expect(read({ date, age: '90' })).toBe(sentMs + 90_000)
  expect(read({ date, age: '-1' })).toBe(sentMs)
  expect([read({}), read({ date: 'soon' })]).toEqual([null, null])
})
