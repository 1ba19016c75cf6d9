import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

/** What says on which connection a request leaves. */
const requestLeaves = 'undici:client:sendHeaders'
const everyMs = 50

/**
 * Ends a connection, with the code `TOO_LARGE`, that has read more than `mostBytes` since its last request left, whatever they were: interim
 * answers, extensions of chunks and other bytes that belong to no body have no limit of their own, and would be read as fast as
 * they come until the time is over. It is noticed after some milliseconds.
 */
export const wireLimit = (
  options: buildConnector.BuildOptions,
  mostBytes: number,
): { connect: buildConnector.connector; close: () => void } => {
  const from = new Map<Socket, number>()
  const connect = buildConnector(options)
  const tooLarge = () => Object.assign(new Error('too large'), { code: 'TOO_LARGE' })
  const check = () => {
    for (const [socket, read] of from) if (socket.bytesRead - read > mostBytes) socket.destroy(tooLarge())
  }
  const onLeave = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (from.has(socket)) from.set(socket, socket.bytesRead)
  }
  let timer: NodeJS.Timeout | undefined
  subscribe(requestLeaves, onLeave)
  return {
    connect: (to, done) =>
      connect(to, (...outcome) => {
        const [failure, socket] = outcome
        if (failure === null) {
          from.set(socket, socket.bytesRead)
          timer ??= setInterval(check, everyMs).unref()
          socket.once('close', () => {
            from.delete(socket)
            if (from.size > 0) return
            clearInterval(timer)
            timer = undefined
          })
        }
        done(...outcome)
      }),
    close: () => {
      clearInterval(timer)
      unsubscribe(requestLeaves, onLeave)
    },
  }
}
