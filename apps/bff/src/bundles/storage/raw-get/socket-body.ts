import type { Socket } from 'node:net'
import { timedOut } from '#bundles/storage/bundle-failures.ts'
import type { BodyFrame } from './body-frame.ts'
import type { ReadBuffers } from './read-buffers.ts'

/** Body of a response. A piece is valid until the reader asks for the next one, because its memory is reused. Read it or destroy it. */
export type SocketBody = AsyncIterable<Uint8Array> & { destroy: () => void }

// A smaller piece waits for other reads of the same moment: TLS delivers 16 KiB at a time.
const minPieceBytes = 65_536

const connectionEnded = () => Object.assign(new Error('The connection ended before the body.'), { code: 'ECONNRESET' })

/**
 * Reads a body from `socket` into `buffers`, after the bytes `ahead`. Pauses while they are full. Throws after `bodyMs` without a piece.
 */
export const readSocketBody = (options: {
  socket: Socket
  buffers: ReadBuffers
  frame: BodyFrame
  ahead: Uint8Array
  bodyMs: number
}): { body: SocketBody; onRead: (bytes: number) => boolean } => {
  const { socket, buffers, frame, ahead, bodyMs } = options
  let failure: Error | null = null
  let hasEnded = false
  let isClosed = false
  let isPaused = false
  let wake: (() => void) | null = null

  /** Number of body bytes in `bytes`. Closes the connection when the body is complete or malformed. */
  const unwrap = (bytes: Uint8Array): number => {
    let count = 0
    try {
      count = frame.unwrap(bytes)
    } catch (error) {
      socket.destroy(error as Error)
    }
    if (frame.isComplete(false)) socket.destroy()
    return count
  }
  socket.on('error', (error) => (failure = error))
  socket.on('end', () => (hasEnded = true))
  socket.on('close', () => {
    isClosed = true
    wake?.()
  })
  const first = ahead.subarray(0, unwrap(ahead))

  const waitForBytes = async () => {
    const timer = setTimeout(() => socket.destroy(timedOut()), bodyMs)
    await new Promise<void>((resolve) => (wake = resolve))
    wake = null
    clearTimeout(timer)
  }
  async function* readPieces() {
    try {
      if (first.length > 0) yield first
      for (;;) {
        const piece = buffers.take()
        if (piece !== null) {
          yield piece
          buffers.release()
          if (!isPaused || buffers.isFull()) continue
          isPaused = false
          socket.resume()
        } else if (frame.isComplete(hasEnded)) return
        else if (isClosed) throw failure ?? connectionEnded()
        else await waitForBytes()
      }
    } finally {
      socket.destroy()
    }
  }
  return {
    body: { [Symbol.asyncIterator]: readPieces, destroy: () => void socket.destroy() },
    /** The socket calls this after a read into `buffers`. False pauses the socket. */
    onRead: (bytes) => {
      const count = unwrap(buffers.space().subarray(0, bytes))
      if (count > 0) buffers.commit(count)
      if (socket.destroyed || buffers.pendingBytes() >= minPieceBytes) wake?.()
      else if (count > 0) setImmediate(() => wake?.())
      isPaused = buffers.isFull()
      return !isPaused
    },
  }
}
