import { expect, test } from 'vitest'
import { describeCheck, formatRule } from './finding-labels.ts'

test('every rule has a readable name, even if this page does not know the rule', () => {
  expect(
    ['missing-page', 'report-left-out', 'no-not-found-page', 'brand-new-rule', 'constructor', ''].map(formatRule),
  ).toEqual(['Missing page', 'Left out', 'No 404 page', 'Brand new rule', 'Constructor', ''])
})

test('only a finished check without broken parts and outside requests looks clean, whatever its hints', () => {
  const check = (state: 'finished' | 'not_finished', breaks: number, leaks: number) =>
    describeCheck({ state, detail: null, findings: { breaks, leaks, notes: 4 }, added: null })
  expect(check('finished', 0, 0)).toEqual({ tone: 'done', words: 'Nothing broken, no outside requests' })
  expect(check('finished', 2, 3)).toEqual({ tone: 'failed', words: '2 broken' })
  expect(check('finished', 0, 1)).toEqual({ tone: 'attention', words: '1 outside request' })
  for (const other of [check('not_finished', 0, 0), describeCheck(null)]) expect(other.tone).not.toBe('done')
})
