import { expect, test } from 'vitest'
import { pickJitteredPause } from '#ground/clock.ts'

test('the back-off starts at zero, doubles with every failure, and stays below its cap', () => {
  const most = (failures: number) => pickJitteredPause(failures, { baseMs: 100, capMs: 1000, random: () => 1 })
  expect(pickJitteredPause(1, { baseMs: 100, capMs: 1000, random: () => 0 })).toBe(0)
  expect([1, 2, 3, 4, 5, 50].map(most)).toEqual([100, 200, 400, 800, 1000, 1000])
})
