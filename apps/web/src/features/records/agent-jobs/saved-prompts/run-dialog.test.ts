import { expect, test } from 'vitest'
import { fillPrompt } from './run-dialog.tsx'

test('a preview has every given value as it is, and the name of those that are missing', () => {
  const values = new Map([
    ['a', ' {{b}} $& '],
    ['b', ''],
  ])
  expect(fillPrompt('{{a}} {{ a }} {{b}} {{$x}} {{toString}}', values)).toBe(
    '{{b}} $& {{b}} $& {{b}} {{$x}} {{toString}}',
  )
})
