/** Memory that one connection is read into over and over, so that a large body costs no new memory for each piece. */
export type ReadBuffers = {
  /** Where the next read goes; it stays so until `filled` is called. Never empty. */
  next: () => Uint8Array
  /** Tells that `bytes` bytes came into what `next` gave. */
  filled: (bytes: number) => void
  /** No more should be read until something is released. A read that comes all the same finds room. */
  isFull: () => boolean
  /** Bytes that were read and not taken. */
  waiting: () => number
  /** The oldest bytes not yet taken, as many as lie side by side; they stay as they are until `release`. Null when there are none. */
  take: () => Uint8Array | null
  /** Gives back what was taken last. */
  release: () => void
}

type Slot = { memory: Buffer; pieces: number }
type Piece = { slot: Slot; from: number; to: number }

/** `count` buffers of `size` bytes, made when they are needed: one is read into, one is sent, and one waits in between. */
export const readBuffers = ({ count = 3, size = 393_216 } = {}): ReadBuffers => {
  const enoughRoom = size / 4
  const free: Slot[] = []
  const pieces: Piece[] = []
  let made = 0
  let waiting = 0
  let taken: Piece | null = null
  let at = 0

  const another = (): Slot => {
    made += 1
    return { memory: Buffer.allocUnsafeSlow(size), pieces: 0 }
  }
  let slot = another()

  return {
    next: () => slot.memory.subarray(at),
    filled: (bytes) => {
      const last = pieces.at(-1)
      if (last?.slot === slot && last.to === at) last.to += bytes
      else {
        pieces.push({ slot, from: at, to: at + bytes })
        slot.pieces += 1
      }
      at += bytes
      waiting += bytes
      if (size - at >= enoughRoom) return
      // Decided now and not at the next read: a socket is told where to put its next bytes when it hands over the last.
      slot = free.pop() ?? another()
      at = 0
    },
    isFull: () => free.length === 0 && made >= count,
    waiting: () => waiting,
    take: () => {
      taken = pieces.shift() ?? null
      if (taken === null) return null
      waiting -= taken.to - taken.from
      return taken.slot.memory.subarray(taken.from, taken.to)
    },
    release: () => {
      if (taken === null) return
      taken.slot.pieces -= 1
      if (taken.slot.pieces === 0 && taken.slot !== slot) free.push(taken.slot)
      taken = null
    },
  }
}
