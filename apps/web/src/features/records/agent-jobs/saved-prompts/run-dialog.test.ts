import { expect, test } from 'vitest'
import { fillPrompt } from './run-dialog.tsx'

test('values replace their placeholders unchanged, and placeholders without a value stay', () => {
  const values = new Map([
    ['a', ' {{b}} $& '],
    ['b', ''],
  ])
  expect(fillPrompt('{{a}} {{ a }} {{b}} {{$x}} {{toString}}', values)).toBe(
    '{{b}} $& {{b}} $& {{b}} {{$x}} {{toString}}',
  )
})
