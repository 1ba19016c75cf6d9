import { expect, test } from 'vitest'
import { refusalOf } from './permissions.ts'

test('a reason names the role that is needed and the one that somebody has', () => {
  expect(refusalOf('viewer', 'operator')).toBe(
    'This takes an operator, and you are a viewer. Ask an admin of this Docket.',
  )
})

test.for([
  ['viewer', [true, false, false]],
  ['operator', [true, true, false]],
  ['admin', [true, true, true]],
] as const)('%s may do what takes the same role or less', ([role, expected]) => {
  const needed = ['viewer', 'operator', 'admin'] as const
  expect(needed.map((one) => refusalOf(role, one) === null)).toEqual(expected)
})

test('nothing is refused while nobody knows who reads', () => {
  expect(refusalOf(null, 'admin')).toBe(null)
})
