import { expect, test } from 'vitest'
import { parseDates, printDays, toInstants } from './date-range.ts'

const now = new Date(2026, 10, 22, 15, 30).getTime()
const local = (month: number, day: number) => new Date(2026, month - 1, day).toISOString()

test('a recent range begins with a day in the reader’s zone and has no end', () => {
  expect(toInstants('today', now)).toEqual({ from: local(11, 22), to: undefined })
  expect(toInstants('7d', now)).toEqual({ from: local(11, 16), to: undefined })
  expect(toInstants('30d', now)).toEqual({ from: local(10, 24), to: undefined })
  expect(toInstants('', now)).toEqual({ from: undefined, to: undefined })
})

test('a custom range has whole days in the reader’s zone and may be open', () => {
  expect(toInstants('2026-11-01..2026-11-20', now)).toEqual({ from: local(11, 1), to: local(11, 21) })
  expect(toInstants('..2026-11-20', now)).toEqual({ from: undefined, to: local(11, 21) })
})

test('an invalid range is ignored, and a range never ends before it begins', () => {
  for (const text of ['', '..', 'yesterday', '2026-13-01..', '2026-11-01', 'constructor', 'x..y'])
    expect(parseDates(text)).toBe('')
  expect(parseDates('2026-11-01..')).toBe('2026-11-01..')
  expect(printDays({ from: '2026-11-20', to: '2026-11-01' }, 'to')).toBe('2026-11-01..2026-11-01')
  expect(parseDates('2026-11-20..2026-11-01')).toBe('2026-11-20..2026-11-20')
})
