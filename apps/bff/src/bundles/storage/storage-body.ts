import type { Socket } from 'node:net'
import type { BodyFrame } from './body-frame.ts'
import { timedOut } from './bundle-failures.ts'
import type { ReadBuffers } from './read-buffers.ts'

/** The body of an answer. A piece is valid until the next one is asked for: its memory is used again. Read it, or destroy it. */
export type StorageBody = AsyncIterable<Uint8Array> & { destroy: () => void }

// Smaller than this it waits for what else comes in the same moment: TLS hands over 16 KiB at a time.
const worthSending = 65_536

const brokeOff = () => Object.assign(new Error('The connection ended before the body.'), { code: 'ECONNRESET' })

/**
 * A body read by `socket` into `buffers`: `ahead` was read before, and `frame` tells what of it all is the body. Nothing more is read
 * while the buffers are full, and a reader that waits for `bodyMs` gets an error.
 */
export const socketBody = (options: {
  socket: Socket
  buffers: ReadBuffers
  frame: BodyFrame
  ahead: Uint8Array
  bodyMs: number
}): { body: StorageBody; onRead: (bytes: number) => boolean } => {
  const { socket, buffers, frame, ahead, bodyMs } = options
  let failure: Error | null = null
  let ended = false
  let closed = false
  let stopped = false
  let wake: (() => void) | null = null

  /** How much of it is the body; ends the connection where it is of no more use. */
  const framed = (bytes: Uint8Array): number => {
    let taken = 0
    try {
      taken = frame.take(bytes)
    } catch (error) {
      socket.destroy(error as Error)
    }
    if (frame.isWhole(false)) socket.destroy()
    return taken
  }
  socket.on('error', (error) => (failure = error))
  socket.on('end', () => (ended = true))
  socket.on('close', () => {
    closed = true
    wake?.()
  })
  const first = ahead.subarray(0, framed(ahead))

  const somethingNew = async () => {
    const late = setTimeout(() => socket.destroy(timedOut()), bodyMs)
    await new Promise<void>((resolve) => (wake = resolve))
    wake = null
    clearTimeout(late)
  }
  async function* pieces() {
    try {
      if (first.length > 0) yield first
      for (;;) {
        const piece = buffers.take()
        if (piece !== null) {
          yield piece
          buffers.release()
          if (!stopped || buffers.isFull()) continue
          stopped = false
          socket.resume()
        } else if (frame.isWhole(ended)) return
        else if (closed) throw failure ?? brokeOff()
        else await somethingNew()
      }
    } finally {
      socket.destroy()
    }
  }
  return {
    body: { [Symbol.asyncIterator]: pieces, destroy: () => void socket.destroy() },
    /** Called when bytes have come; false when no more may. */
    onRead: (bytes) => {
      const taken = framed(buffers.next().subarray(0, bytes))
      if (taken > 0) buffers.filled(taken)
      if (socket.destroyed || buffers.waiting() >= worthSending) wake?.()
      else if (taken > 0) setImmediate(() => wake?.())
      stopped = buffers.isFull()
      return !stopped
    },
  }
}
