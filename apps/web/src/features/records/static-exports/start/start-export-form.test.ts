import { expect, test } from 'vitest'
import { parsePaths } from './start-export-form.tsx'

test('a start without paths exports every page', () => {
  expect(parsePaths(' \n\n')).toBe(null)
  expect(parsePaths('/a\n  /b  \n')).toEqual(['/a', '/b'])
})
