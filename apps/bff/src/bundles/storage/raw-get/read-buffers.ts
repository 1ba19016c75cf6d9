type Slot = { memory: Buffer; pieces: number }
type Piece = { slot: Slot; from: number; to: number }

/** Creates `count` buffers of `size` bytes on demand: one to read into, one to send, one between them. */
export const createReadBuffers = ({ count = 3, size = 393_216 } = {}) => {
  const minSpace = size / 4
  const free: Slot[] = []
  const pieces: Piece[] = []
  let allocated = 0
  let pending = 0
  let current: Piece | null = null
  let at = 0

  const allocate = (): Slot => {
    allocated += 1
    return { memory: Buffer.allocUnsafeSlow(size), pieces: 0 }
  }
  let slot = allocate()

  return {
    /** Space for the next read. Never empty, and the same until `commit`. */
    space: () => slot.memory.subarray(at),
    /** Marks the first `bytes` bytes of `space` as read. */
    commit: (bytes: number) => {
      const last = pieces.at(-1)
      if (last?.slot === slot && last.to === at) last.to += bytes
      else {
        pieces.push({ slot, from: at, to: at + bytes })
        slot.pieces += 1
      }
      at += bytes
      pending += bytes
      if (size - at >= minSpace) return
      // Released later than the next read, because a socket requests its next space while it delivers the last bytes.
      slot = free.pop() ?? allocate()
      at = 0
    },
    /** Whether the reader should pause until a release. A read that happens all the same still finds space. */
    isFull: () => free.length === 0 && allocated >= count,
    /** Bytes committed and not taken yet. */
    pendingBytes: () => pending,
    /** Oldest contiguous bytes that nobody took. They stay unchanged until `release`. Null when there are none. */
    take: () => {
      current = pieces.shift() ?? null
      if (current === null) return null
      pending -= current.to - current.from
      return current.slot.memory.subarray(current.from, current.to)
    },
    /** Frees the bytes of the last `take`. */
    release: () => {
      if (current === null) return
      current.slot.pieces -= 1
      if (current.slot.pieces === 0 && current.slot !== slot) free.push(current.slot)
      current = null
    },
  }
}

/** A ring of buffers for one connection, so that a large body needs no new memory for each read. */
export type ReadBuffers = ReturnType<typeof createReadBuffers>
