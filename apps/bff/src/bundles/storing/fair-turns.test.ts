import { expect, test } from 'vitest'
import { createFairTurns } from './upload-bundle.ts'

test('a waiting person is served after at most one upload of each other person, and a failed upload frees its turn', async () => {
  const inTurn = createFairTurns(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) =>
    inTurn(name[0]!, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      if (name === 'a1') throw new Error('failed')
    }),
  )
  const failing = expect(all[0]).rejects.toThrow('failed')
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  for (const [ended, next] of [
    ['a1', 'c1'],
    ['b1', 'a2'],
    ['c1', 'b2'],
    ['a2', 'a3'],
  ] as const) {
    ends.get(ended)!()
    await expect.poll(() => begun.at(-1)).toBe(next)
  }
  ends.get('b2')!()
  ends.get('a3')!()
  await failing
  await Promise.all(all.slice(1))
})
