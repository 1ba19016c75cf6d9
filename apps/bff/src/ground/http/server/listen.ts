import type { Server } from 'node:http'
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'

const describeListenFailure = (
  error: Error,
  { host, port, setting }: { host: string; port: number; setting: string },
): Error => {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is already in use. Stop what uses it, or set ${setting} to another one; 0 takes a free one.`,
    )
  if (code === 'EACCES') return new Error(`Docket may not listen on port ${port}. Set ${setting} to 1024 or higher.`)
  return error
}

const hasErrorCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

const listenOn = (server: NetServer | Server, host: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

const closeServer = (server: NetServer | Server) => new Promise<void>((resolve) => server.close(() => resolve()))

const twins: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1', localhost: '::1' }

/**
 * True when, on this `HOST`, Docket is the only server that browsers can reach on its port under localhost and the
 * names below it.
 */
export const hasTwin = (host: string): boolean => Object.hasOwn(twins, host)

// The port that the system chose is free on one address and may be taken on the other.
const tries = 10

/**
 * Starts listening; port 0 takes a free one. `both`: listens on 127.0.0.1 and ::1, because browsers try both for names
 * under localhost, and a program on the other one would receive requests meant for Docket. Rejects with a message for
 * the operator. Returns the port, and a function that stops listening on the second address.
 */
export const startListening = async (
  server: Server,
  { host, port, setting, both }: { host: string; port: number; setting: string; both: boolean },
): Promise<{ port: number; closeTwin: () => Promise<void> }> => {
  const failed = (at: string) => (error: unknown) => {
    throw error instanceof Error ? describeListenFailure(error, { host: at, port, setting }) : error
  }
  const twinHost = both ? twins[host] : undefined
  const ownHost = twinHost !== undefined && host === 'localhost' ? '127.0.0.1' : host
  for (let left = tries; ; left -= 1) {
    const bound = await listenOn(server, ownHost, port).catch(failed(host))
    if (twinHost === undefined) return { port: bound, closeTwin: async () => {} }
    const twin = createServer({ noDelay: true }, (socket: Socket) => void server.emit('connection', socket))
    try {
      await listenOn(twin, twinHost, bound)
      return { port: bound, closeTwin: () => closeServer(twin) }
    } catch (error) {
      // Without IPv6, no other program has that address either.
      if (hasErrorCode(error, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) return { port: bound, closeTwin: async () => {} }
      await closeServer(server)
      if (port !== 0 || left <= 1 || !hasErrorCode(error, 'EADDRINUSE')) failed(twinHost)(error)
    }
  }
}
