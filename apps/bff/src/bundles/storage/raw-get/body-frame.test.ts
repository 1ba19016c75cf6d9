import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameByChunks, frameByLength, type BodyFrame } from './body-frame.ts'

/** Reads the body of bytes that arrive in pieces of these sizes; the last size repeats. */
const readBody = (frame: BodyFrame, wire: string, sizes: readonly number[]): string => {
  const bytes = Buffer.from(wire, 'latin1')
  let body = ''
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const next = Buffer.from(bytes.subarray(at, at + (sizes[Math.min(piece, sizes.length - 1)] ?? bytes.length)))
    body += next.toString('latin1', 0, frame.unwrap(next))
    at += next.length
  }
  return body
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })

test('chunks are the bytes in them, however they are cut, and nothing after them belongs to the body', () => {
  const chunk = fc.record({
    data: fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 50 }),
    extension: fc.constantFrom('', ';a=b', ' ; a', ';'),
    isUpper: fc.boolean(),
  })
  const trailers = fc.constantFrom('', 'Expires: never\r\n', 'a: b\r\nc: d\r\n')
  fc.assert(
    fc.property(fc.array(chunk), trailers, sizes, (chunks, after, cut) => {
      const wire = chunks.map(({ data, extension, isUpper }) => {
        const size = data.length.toString(16)
        return `${isUpper ? size.toUpperCase() : `0${size}`}${extension}\r\n${data}\r\n`
      })
      const frame = frameByChunks()
      const whole = `${wire.join('')}0\r\n${after}\r\n`
      expect(readBody(frame, `${whole}5\r\nmore!\r\n`, cut)).toBe(chunks.map(({ data }) => data).join(''))
      expect(frame.isComplete(false)).toBe(true)
      const cutOff = frameByChunks()
      readBody(cutOff, whole.slice(0, -1), cut)
      expect(cutOff.isComplete(true)).toBe(false)
    }),
  )
})

test.each([
  ['no size', '\r\nx\r\n0\r\n\r\n'],
  ['a size that is none', 'x\r\n'],
  ['a negative size', '-1\r\nx\r\n'],
  ['a size with a prefix', '0x1\r\nx\r\n'],
  ['a size beyond all sizes', 'ffffffffffffff\r\nx'],
  ['lines that end in a line feed', '1\nx\n0\n\n'],
  ['a carriage return within a line', '1\rx\r\n'],
  ['more bytes than announced', '1\r\nxy\r\n'],
  ['an extension without an end', `1;${'x'.repeat(2_000)}`],
  ['a line without an end after the bytes', `1\r\nx${' '.repeat(2_000)}`],
  ['a byte each, without an end', '1\r\nx\r\n'.repeat(20_000)],
  ['trailers without an end', `0\r\n${'a: b\r\n'.repeat(2_000)}`],
])('chunks with %s are no body', (_, wire) => {
  expect(() => readBody(frameByChunks(), wire, [])).toThrow('malformed')
  expect(() => readBody(frameByChunks(), wire, [1])).toThrow('malformed')
})

test('a body of a length ends there, and one without ends with its connection', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 100 }), fc.nat(100), sizes, (wire, length, cut) => {
      const frame = frameByLength(length)
      expect(readBody(frame, wire, cut)).toBe(wire.slice(0, length))
      expect(frame.isComplete(true)).toBe(wire.length >= length)
    }),
  )
  const open = frameByLength(null)
  expect(readBody(open, 'all of it', [])).toBe('all of it')
  expect([open.isComplete(false), open.isComplete(true)]).toEqual([false, true])
})
