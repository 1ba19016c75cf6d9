import { expect, test } from 'vitest'
import { formatRule } from './finding-labels.ts'

test('Every rule has a readable name, even one that this page does not know', () => {
  expect(
    ['missing-page', 'report-left-out', 'no-not-found-page', 'brand-new-rule', 'constructor', ''].map(formatRule),
  ).toEqual(['Missing page', 'Left out', 'No 404 page', 'Brand new rule', 'Constructor', ''])
})
