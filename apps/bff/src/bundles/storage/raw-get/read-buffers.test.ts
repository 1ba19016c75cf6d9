import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReadBuffers } from './read-buffers.ts'

test('in any order of reads and releases, every byte is taken once, in order, and stays unchanged until its release', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ read: fc.integer({ min: 1, max: 64 }), take: fc.boolean(), release: fc.boolean() }), {
        maxLength: 200,
      }),
      (steps) => {
        const buffers = createReadBuffers({ count: 3, size: 64 })
        let [total, read] = [0, 0]
        let current: { piece: Uint8Array; copy: number[] } | null = null
        const take = () => {
          const piece = buffers.take()
          if (piece === null) return
          current = { piece, copy: [...piece] }
          for (const byte of piece) expect(byte).toBe(read++ % 251)
        }
        const release = () => {
          if (current === null) return
          expect([...current.piece]).toEqual(current.copy)
          buffers.release()
          current = null
        }
        for (const step of steps) {
          const region = buffers.space()
          expect(region.length).toBeGreaterThan(0)
          // Also when full: a socket that was told to stop may have something left to hand over.
          const bytes = Math.min(step.read, region.length)
          for (let at = 0; at < bytes; at += 1) region[at] = total++ % 251
          buffers.commit(bytes)
          if (step.release) release()
          if (step.take && current === null) take()
        }
        release()
        for (take(); current !== null; take()) release()
        expect([read, buffers.pendingBytes()]).toEqual([total, 0])
      },
    ),
  )
})

test('reading may go on after a release, with the same memory', () => {
  const buffers = createReadBuffers({ count: 3, size: 64 })
  const used = new Set<ArrayBufferLike>()
  for (let round = 0; round < 20; round += 1) {
    for (let reads = 0; !buffers.isFull(); reads += 1) {
      expect(reads).toBeLessThan(10)
      const region = buffers.space()
      used.add(region.buffer)
      buffers.commit(region.length)
    }
    while (buffers.take() !== null) buffers.release()
    expect(buffers.isFull()).toBe(false)
  }
  expect(used.size).toBe(3)
})
