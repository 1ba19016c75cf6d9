import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { timedOut } from './bundle-failures.ts'
import type { ReadBuffers } from './read-buffers.ts'

/** The body of an answer. A piece is valid until the next one is asked for: its memory is used again. Read it, or destroy it. */
export type StorageBody = AsyncIterable<Uint8Array> & { destroy: () => void }

// Smaller than this it waits for what else comes in the same moment: TLS hands over 16 KiB at a time.
const worthSending = 65_536

const brokeOff = () => Object.assign(new Error('The connection ended before the body.'), { code: 'ECONNRESET' })

/**
 * A body read by `socket` into `buffers`: `ahead` was read before, and `length` bytes come in all, or as many as come until the end of
 * the connection when it is null. Nothing more is read while the buffers are full, and a reader that waits for `bodyMs` gets an error.
 */
export const socketBody = (options: {
  socket: Socket
  buffers: ReadBuffers
  ahead: readonly Uint8Array[]
  length: number | null
  bodyMs: number
}): { body: StorageBody; onRead: (bytes: number) => boolean } => {
  const { socket, buffers, ahead, bodyMs } = options
  let left = options.length ?? Infinity
  for (const piece of ahead) left -= piece.length
  let failure: Error | null = null
  let closed = false
  let stopped = false
  let wake: (() => void) | null = null

  socket.on('error', (error) => (failure = error))
  // Without a length the end of the connection is the end of the body.
  socket.on('end', () => (left = Number.isFinite(left) ? left : 0))
  socket.on('close', () => {
    closed = true
    wake?.()
  })
  if (left <= 0) socket.destroy()

  const somethingNew = async () => {
    const late = setTimeout(() => socket.destroy(timedOut()), bodyMs)
    await new Promise<void>((resolve) => (wake = resolve))
    wake = null
    clearTimeout(late)
  }
  async function* pieces() {
    try {
      yield* ahead
      for (;;) {
        const piece = buffers.take()
        if (piece !== null) {
          yield piece
          buffers.release()
          if (!stopped || buffers.isFull()) continue
          stopped = false
          socket.resume()
        } else if (left <= 0) return
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
      // More than was announced belongs to no one.
      buffers.filled(Math.min(bytes, left))
      left -= bytes
      if (left <= 0) socket.destroy()
      if (left <= 0 || buffers.waiting() >= worthSending) wake?.()
      else setImmediate(() => wake?.())
      stopped = buffers.isFull()
      return !stopped
    },
  }
}

/** The body of an answer as node:http parsed it, for a reader that waits at most `bodyMs` for a piece. */
export const hurriedBody = (answer: IncomingMessage, socket: Socket, bodyMs: number): StorageBody => {
  async function* pieces() {
    // The socket's own error would reach the reader as a mere abort.
    const late = () => answer.destroy(timedOut())
    let timer = setTimeout(late, bodyMs)
    try {
      for await (const piece of answer as AsyncIterable<Uint8Array>) {
        clearTimeout(timer)
        yield piece
        timer = setTimeout(late, bodyMs)
      }
    } finally {
      clearTimeout(timer)
      socket.destroy()
    }
  }
  return { [Symbol.asyncIterator]: pieces, destroy: () => void socket.destroy() }
}
