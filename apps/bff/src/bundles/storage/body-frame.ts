/** Where the body of an answer begins and ends among the bytes of its connection. */
export type BodyFrame = {
  /** Moves what belongs to the body to the beginning of `bytes`, and tells how much that is. Throws on bytes that are no such body. */
  take: (bytes: Uint8Array) => number
  /** Whether the body is complete; `atEnd` when the connection has ended. */
  isWhole: (atEnd: boolean) => boolean
}

/** A body of `length` bytes; more than was announced belongs to no one. Null: it ends with its connection. */
export const plainFrame = (length: number | null): BodyFrame => {
  let left = length ?? Infinity
  return {
    take: (bytes) => {
      const taken = Math.min(bytes.length, left)
      left -= taken
      return taken
    },
    isWhole: (atEnd) => left === 0 || (atEnd && length === null),
  }
}

// Extensions of one chunk, and all trailers: nobody who stores bundles has much to say there.
const mostExtension = 1_024
const mostTrailers = 8_192
// Beyond this, what is said about chunks must be less than what is in them: crumbs are work without a bundle.
const mostFraming = 65_536
const [tab, lineFeed, carriageReturn, space, semicolon] = [9, 10, 13, 32, 59]

const malformed = () => Object.assign(new Error('The chunks are malformed.'), { code: 'HPE_INVALID_CHUNK' })

/** The value of a hexadecimal digit, or -1. */
const digitOf = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = (byte | 32) - 97
  return letter >= 0 && letter < 6 ? letter + 10 : -1
}

/**
 * A body in chunks (RFC 9112 §7.1). A chunk costs nothing but its bytes: a storage may send a hundred thousand of one byte each, and
 * an object for every one of them, as node:http makes it, stops the process for seconds.
 */
export const chunkedFrame = (): BodyFrame => {
  let state: 'size' | 'extension' | 'data' | 'after data' | 'trailer' | 'whole' = 'size'
  // Of the line: whether its carriage return was seen, and how much of it there was.
  let returned = false
  let length = 0
  let left = 0
  let trailers = 0
  let framing = 0
  let delivered = 0

  const afterLine = () => {
    if (state === 'after data') state = 'size'
    else if (state === 'trailer') state = length === 0 ? 'whole' : 'trailer'
    else if (length === 0) throw malformed()
    else state = left === 0 ? 'trailer' : 'data'
    returned = false
    length = 0
  }
  /** One byte that is not of the body. */
  const frame = (byte: number) => {
    framing += 1
    if (framing > mostFraming && framing > delivered) throw malformed()
    if (state === 'trailer' && (trailers += 1) > mostTrailers) throw malformed()
    if (returned) {
      if (byte !== lineFeed) throw malformed()
      return afterLine()
    }
    if (byte === carriageReturn) {
      returned = true
      return
    }
    length += 1
    if (byte === lineFeed || state === 'after data') throw malformed()
    if (state === 'trailer') return
    if (length > mostExtension) throw malformed()
    if (state === 'extension') return
    const digit = digitOf(byte)
    if (digit >= 0) left = left * 16 + digit
    else if (length > 1 && (byte === semicolon || byte === space || byte === tab)) state = 'extension'
    else throw malformed()
    if (left > Number.MAX_SAFE_INTEGER) throw malformed()
  }

  return {
    take: (bytes) => {
      let taken = 0
      let at = 0
      while (at < bytes.length && state !== 'whole') {
        if (state !== 'data') {
          frame(bytes[at]!)
          at += 1
          continue
        }
        const here = Math.min(left, bytes.length - at)
        // A call for a byte would cost more than the byte.
        if (here < 32) for (let of = 0; of < here; of += 1) bytes[taken + of] = bytes[at + of]!
        else bytes.copyWithin(taken, at, at + here)
        taken += here
        at += here
        left -= here
        delivered += here
        if (left === 0) state = 'after data'
      }
      return taken
    },
    isWhole: () => state === 'whole',
  }
}
