import { expect, test } from 'vitest'
import { formatRule } from './finding-labels.ts'

test('every rule has a readable name, even if this page does not know the rule', () => {
  expect(
    ['missing-page', 'report-left-out', 'no-not-found-page', 'brand-new-rule', 'constructor', ''].map(formatRule),
  ).toEqual(['Missing page', 'Left out', 'No 404 page', 'Brand new rule', 'Constructor', ''])
})
