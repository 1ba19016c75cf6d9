import { expect, test } from 'vitest'
import { shareReads } from './coalesce.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** A read that ends when the test says so, with the moment at which it began. */
const slowRead = () => {
  const ends: ((failed?: Error) => void)[] = []
  const state = { count: 0 }
  const read = () => {
    const count = state.count
    return new Promise<number>((resolve, reject) =>
      ends.push((failed) => (failed === undefined ? resolve(count) : reject(failed))),
    )
  }
  const end = async (failed?: Error) => {
    ends.shift()?.(failed)
    // The next read begins at the end of a turn.
    await nextTurn()
    await nextTurn()
  }
  return { read, state, end, countReads: () => ends.length }
}

test('a hundred concurrent callers share two reads, and each sees every earlier write', async () => {
  const { read, state, end, countReads } = slowRead()
  const shared = shareReads(read)
  const first = shared()
  await nextTurn()
  state.count = 1
  const others = Array.from({ length: 99 }, shared)
  expect(countReads()).toBe(1)
  await end()
  expect(countReads()).toBe(1)
  state.count = 2
  const late = shared()
  await end()
  await end()
  expect([await first, new Set(await Promise.all(others)), await late]).toEqual([0, new Set([1]), 2])
})

test('calls in one turn of the event loop share one read, which begins after the last call', async () => {
  const { read, state, end, countReads } = slowRead()
  const shared = shareReads(read)
  const calls = Array.from({ length: 8 }, shared)
  state.count = 1
  calls.push(shared())
  await nextTurn()
  expect(countReads()).toBe(1)
  await end()
  expect(new Set(await Promise.all(calls))).toEqual(new Set([1]))
})

test('a failed read fails only the callers that waited for it', async () => {
  const { read, end } = slowRead()
  const shared = shareReads(read)
  const first = shared()
  await nextTurn()
  const second = shared()
  const failed = expect(first).rejects.toThrow('away')
  await end(new Error('away'))
  await failed
  await end()
  expect(await second).toBe(0)
})
