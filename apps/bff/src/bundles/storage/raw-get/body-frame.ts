/** Finds the body of a response among the bytes of its connection. */
export type BodyFrame = {
  /** Moves body bytes to the start of `bytes` and returns their count. Throws when the framing is malformed. */
  unwrap: (bytes: Uint8Array) => number
  /** True when the body is complete. `hasEnded`: the connection has ended. */
  isComplete: (hasEnded: boolean) => boolean
}

/** Frames a body of `length` bytes and ignores bytes after them. With null, the body ends with its connection. */
export const frameByLength = (length: number | null): BodyFrame => {
  let left = length ?? Infinity
  return {
    unwrap: (bytes) => {
      const count = Math.min(bytes.length, left)
      left -= count
      return count
    },
    isComplete: (hasEnded) => left === 0 || (hasEnded && length === null),
  }
}

// Limits for the extensions of one chunk, and for all trailers. Bundle storage needs neither.
const maxExtensionBytes = 1_024
const maxTrailerBytes = 8_192
// Beyond this, the framing must be shorter than the body: tiny chunks cost work and carry nothing.
const maxFramingBytes = 65_536
// Below this length a loop is cheaper than a call of copyWithin.
const minCopyBytes = 32
const [tab, lineFeed, carriageReturn, space, semicolon] = [9, 10, 13, 32, 59]

const malformed = () => Object.assign(new Error('The chunks are malformed.'), { code: 'HPE_INVALID_CHUNK' })

/** Value of a hexadecimal digit, or -1. */
const parseDigit = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = (byte | 32) - 97
  return letter >= 0 && letter < 6 ? letter + 10 : -1
}

/**
 * Frames a chunked body (RFC 9112 §7.1) without allocations. `node:http` allocates an object per chunk, so one-byte chunks could block
 * it.
 */
export const frameByChunks = (): BodyFrame => {
  let state: 'size' | 'extension' | 'data' | 'after data' | 'trailer' | 'complete' = 'size'
  // State of the current line: whether its carriage return was read, and its length so far.
  let hasReturned = false
  let lineLength = 0
  let chunkLeft = 0
  let trailerBytes = 0
  let framingBytes = 0
  let bodyBytes = 0

  const endLine = () => {
    if (state === 'after data') state = 'size'
    else if (state === 'trailer') state = lineLength === 0 ? 'complete' : 'trailer'
    else if (lineLength === 0) throw malformed()
    else state = chunkLeft === 0 ? 'trailer' : 'data'
    hasReturned = false
    lineLength = 0
  }
  const readFraming = (byte: number) => {
    framingBytes += 1
    if (framingBytes > maxFramingBytes && framingBytes > bodyBytes) throw malformed()
    if (state === 'trailer' && (trailerBytes += 1) > maxTrailerBytes) throw malformed()
    if (hasReturned) {
      if (byte !== lineFeed) throw malformed()
      return endLine()
    }
    if (byte === carriageReturn) {
      hasReturned = true
      return
    }
    lineLength += 1
    if (byte === lineFeed || state === 'after data') throw malformed()
    if (state === 'trailer') return
    if (lineLength > maxExtensionBytes) throw malformed()
    if (state === 'extension') return
    const digit = parseDigit(byte)
    if (digit >= 0) chunkLeft = chunkLeft * 16 + digit
    else if (lineLength > 1 && (byte === semicolon || byte === space || byte === tab)) state = 'extension'
    else throw malformed()
    if (chunkLeft > Number.MAX_SAFE_INTEGER) throw malformed()
  }

  return {
    unwrap: (bytes) => {
      let count = 0
      let at = 0
      while (at < bytes.length && state !== 'complete') {
        if (state !== 'data') {
          readFraming(bytes[at]!)
          at += 1
          continue
        }
        const length = Math.min(chunkLeft, bytes.length - at)
        if (length < minCopyBytes) for (let n = 0; n < length; n += 1) bytes[count + n] = bytes[at + n]!
        else bytes.copyWithin(count, at, at + length)
        count += length
        at += length
        chunkLeft -= length
        bodyBytes += length
        if (chunkLeft === 0) state = 'after data'
      }
      return count
    },
    isComplete: () => state === 'complete',
  }
}
