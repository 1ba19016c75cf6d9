import { expect, test } from 'vitest'
import { createStore } from './store.ts'

test('an equal value keeps the previous identity and notifies no listener', () => {
  const first = { paused: false, liveMs: 1000 }
  const store = createStore<object | null>(first)
  let told = 0
  const stop = store.subscribe(() => (told += 1))
  store.set({ liveMs: 1000, paused: false })
  expect([store.get() === first, told]).toEqual([true, 0])
  for (const next of [{ paused: true, liveMs: 1000 }, { paused: true }, null, first]) store.set(next)
  expect([store.get() === first, told]).toEqual([true, 4])
  stop()
  store.set(null)
  expect(told).toBe(4)
})
