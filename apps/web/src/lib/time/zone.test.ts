import { afterEach, expect, test } from 'vitest'
import { formatDay, formatInstant } from '#lib/text/format.ts'
import { toInstants } from './date-range.ts'
import { fromWallMs, keepZone, timeZone, toDay, toWallMs } from './zone.ts'

afterEach(() => keepZone(null))

const at = '2026-11-21T20:30:00.000Z'

test('times, days and ranges follow the chosen zone, and a time names it', () => {
  keepZone('Asia/Tokyo')
  expect(formatInstant(at)).toMatch(/22.*GMT\+9/)
  expect(toDay(Date.parse(at))).toBe('2026-11-22')
  expect(formatDay(at, Date.parse('2026-11-22T10:00:00Z'))).toBe('Today')
  expect(toInstants('2026-11-22..2026-11-22', 0)).toEqual({
    from: '2026-11-21T15:00:00.000Z',
    to: '2026-11-22T15:00:00.000Z',
  })
  keepZone('UTC')
  expect(formatInstant(at)).toMatch(/21.*UTC/)
  expect(formatDay(at, Date.parse('2026-11-22T10:00:00Z'))).toBe('Yesterday')
})

test('days of a change of clocks begin at midnight of the zone', () => {
  keepZone('Europe/Berlin')
  expect(toInstants('2026-03-29..2026-03-29', 0)).toEqual({
    from: '2026-03-28T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
  })
  for (const instant of [at, '2026-07-01T00:00:00.250Z'])
    expect(fromWallMs(toWallMs(Date.parse(instant)))).toBe(Date.parse(instant))
})

test('a zone that this browser does not know is the zone of the device', () => {
  keepZone('Mars/Olympus')
  expect(timeZone.get()).toBeUndefined()
})
