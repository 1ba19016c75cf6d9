import { expect, test } from 'vitest'
import { explainRefusal } from './permissions.ts'

test('the reason for a refusal names the allowed roles and who grants them', () => {
  expect(explainRefusal('viewer', 'operator')).toBe('Only operators and admins can do this. Ask an admin for access.')
})

test.for([
  ['none', [false, false, false, false]],
  ['viewer', [true, false, false, false]],
  ['auditor', [true, true, false, false]],
  ['operator', [true, false, true, false]],
  ['admin', [true, true, true, true]],
] as const)('%s may do everything that its included roles may do', ([role, expected]) => {
  const needed = ['viewer', 'auditor', 'operator', 'admin'] as const
  expect(needed.map((one) => explainRefusal(role, one) === null)).toEqual(expected)
})

test('no action is refused while the role is unknown', () => {
  expect(explainRefusal(null, 'admin')).toBe(null)
})
