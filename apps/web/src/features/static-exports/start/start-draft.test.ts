import { expect, test } from 'vitest'
import { pathsOf } from './start-draft.ts'

test('no paths mean every page', () => {
  expect(pathsOf(' \n\n')).toBe(null)
  expect(pathsOf('/a\n  /b  \n')).toEqual(['/a', '/b'])
})
