import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toNetwork } from '#ground/http/limits/client-address.ts'
import type { Log } from '#ground/log/log.ts'

/** Maximum number of connections, in total and per network, and of concurrent requests on one connection. */
export type ConnectionLimits = { max: number; maxPerNetwork: number; maxAtOnce: number }

const defaults: ConnectionLimits = { max: 2_048, maxPerNetwork: 256, maxAtOnce: 16 }

const logEveryMs = 60_000
/**
 * Requests to read and drop while a connection closes. Unread ones would reset the connection before its last responses
 * arrive.
 */
const maxExcess = 1_000

type Connection = {
  /** Null for connections that many people may share. */
  network: string | null
  hasRequested: boolean
  /** Requests beyond the limit. The first one gets a 429, the last response of this connection. */
  excess: number
  underWay: Set<ServerResponse>
}

/** True when closing the connection loses no work: it is between requests, or still sends its first one. */
const isWaiting = ({ underWay }: Connection): boolean => {
  for (const { req } of underWay) if (req.complete) return false
  return true
}

/**
 * Limits the connections of a server. At the limit, the connection that has kept Docket waiting longest, for its next request or the rest
 * of one, is closed; if none keeps it waiting, the new connection is refused. So slow clients only displace each other. `bringsMany`: true
 * for addresses that stand for many people; only the total limit applies to them, and their connections are closed last. When a connection
 * has more concurrent requests than any browser sends, those up to the limit are answered, then `refuse` answers one more and closes it.
 */
export const limitConnections = (
  server: Server,
  options: {
    bringsMany: (address: string) => boolean
    refuse: (response: ServerResponse) => void
    log: Log
    limits?: Partial<ConnectionLimits> | undefined
  },
) => {
  const { bringsMany, refuse, log } = options
  const { max, maxPerNetwork, maxAtOnce } = { ...defaults, ...options.limits }
  /** Connections in the order in which they began to wait. */
  const open = new Map<Socket, Connection>()
  const perNetwork = new Map<string, number>()
  let loggedAt = Number.NEGATIVE_INFINITY

  const forget = (socket: Socket) => {
    const network = open.get(socket)?.network
    if (!open.delete(socket) || network === null || network === undefined) return
    const left = (perNetwork.get(network) ?? 1) - 1
    if (left > 0) perNetwork.set(network, left)
    else perNetwork.delete(network)
  }
  const makeRoom = (may: (connection: Connection) => boolean): boolean => {
    for (const [socket, connection] of open)
      if (may(connection) && isWaiting(connection)) {
        forget(socket)
        socket.destroy()
        return true
      }
    return false
  }
  const say = (network: string | null) => {
    if (performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    log.warn({ open: open.size, network }, 'too many connections: the slowest make room')
  }
  const hasRoom = (network: string | null): boolean => {
    if (network !== null && (perNetwork.get(network) ?? 0) >= maxPerNetwork) {
      say(network)
      if (!makeRoom((other) => other.network === network)) return false
    }
    if (open.size < max) return true
    say(null)
    return makeRoom((other) => other.network !== null) || makeRoom(() => true)
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const network = bringsMany(address) ? null : toNetwork(address)
    if (!hasRoom(network)) {
      socket.destroy()
      return
    }
    open.set(socket, { network, hasRequested: false, excess: 0, underWay: new Set() })
    if (network !== null) perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1)
    socket.once('close', () => forget(socket))
  })

  return {
    /** Counts a request. False when it must not be answered further: it was refused, or its connection is about to close. */
    begin: (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      const connection = open.get(socket)
      if (connection === undefined) {
        socket.destroy()
        return false
      }
      // After a refusal, even requests within the limit are dropped: the client would never receive the responses.
      if (connection.excess > 0 || connection.underWay.size >= maxAtOnce) {
        connection.excess += 1
        if (connection.excess === 1) refuse(response)
        else if (connection.excess > maxExcess) socket.destroy()
        return false
      }
      connection.hasRequested = true
      connection.underWay.add(response)
      response.once('close', () => {
        connection.underWay.delete(response)
        // The connection begins to wait now, so it moves to the end.
        if (open.delete(socket)) open.set(socket, connection)
      })
      return true
    },
    /** Sends these bytes in response to an unparsable request, if that is still possible, and ends the connection. */
    endWith: (socket: Socket, bytes: string) => {
      const answering = [...(open.get(socket)?.underWay ?? [])].filter(({ headersSent }) => headersSent)
      if (answering.length === 0) socket.end(bytes)
      // A second response would be taken for the response to another request.
      else if (answering.every(({ writableEnded }) => writableEnded)) socket.end()
      else socket.destroy()
    },
    /** True while the client waits for Docket: to read its body, or to send the next bytes of a response. */
    isWaitingForDocket: (socket: Socket): boolean =>
      [...(open.get(socket)?.underWay ?? [])].some(
        ({ req, writableEnded, writableLength }) =>
          !writableEnded && writableLength === 0 && (req.complete || req.readableLength > 0),
      ),
    cutIdle: () => {
      for (const [socket, { hasRequested }] of open) if (!hasRequested) socket.destroy()
    },
  }
}
