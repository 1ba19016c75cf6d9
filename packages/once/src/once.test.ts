import { expect, test } from 'vitest'
import { inTurnPerKey, oncePerKey } from './once.ts'

test('concurrent calls with one key share the running work, and a later call starts it again', async () => {
  const once = oncePerKey<number>()
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const work = async () => {
    begun += 1
    await gate.promise
    return begun
  }
  const calls = [once.run('a', work), once.run('a', work), once.run('b', work)]
  expect([...once.work.keys()]).toEqual(['a', 'b'])
  gate.resolve()
  await Promise.all(calls)
  expect(begun).toBe(2)
  // Forgotten before its callers go on.
  expect(once.work.size).toBe(0)
  expect(await once.run('a', work)).toBe(3)
})

test('a kept result is not computed again, and a failure is not kept', async () => {
  const once = oncePerKey<number>({ keep: true })
  const fails = () => Promise.reject(new Error('no room'))
  const results = await Promise.allSettled([once.run('a', fails), once.run('a', fails)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await once.run('a', async () => 1)).toBe(1)
  expect(await once.run('a', async () => 2)).toBe(1)
})

test('work with one key runs in order, even after a failure, and in parallel to that of other keys', async () => {
  const inTurn = inTurnPerKey()
  const events: string[] = []
  const gate = Promise.withResolvers<void>()
  const work =
    (name: string, ready: Promise<unknown> = Promise.resolve()) =>
    async () => {
      events.push(`${name} begins`)
      await ready
      events.push(`${name} ends`)
      if (name === 'a1') throw new Error(name)
    }
  const first = inTurn('a', work('a1', gate.promise))
  const second = inTurn('a', work('a2'))
  await inTurn('b', work('b'))
  gate.resolve()
  await expect(first).rejects.toThrow('a1')
  await second
  expect(events).toEqual(['a1 begins', 'b begins', 'b ends', 'a1 ends', 'a2 begins', 'a2 ends'])
})
