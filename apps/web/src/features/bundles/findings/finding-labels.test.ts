import { expect, test } from 'vitest'
import { describeCheck, formatLevel, formatRule } from './finding-labels.ts'

test('every rule has a readable name, even if this page does not know the rule', () => {
  expect(
    ['missing-page', 'report-left-out', 'no-not-found-page', 'brand-new-rule', 'constructor', ''].map(formatRule),
  ).toEqual(['Missing page', 'Left out', 'No 404 page', 'Brand new rule', 'Constructor', ''])
})

test('only a finished check looks clean', () => {
  const check = { detail: null, findings: { breaks: 0, leaks: 0, notes: 4 }, added: null }
  expect(describeCheck({ ...check, state: 'finished' })).toEqual({
    tone: 'done',
    words: 'Nothing broken, no outside requests',
  })
  for (const other of [{ ...check, state: 'not_finished' } as const, null])
    expect(describeCheck(other).tone).not.toBe('done')
})

test('counts of a level are in words', () => {
  expect([formatLevel('breaks', 1), formatLevel('leaks', 1), formatLevel('leaks', 2), formatLevel('notes', 3)]).toEqual(
    ['1 broken', '1 outside request', '2 outside requests', '3 hints'],
  )
})
