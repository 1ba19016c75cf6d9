import { createServer } from 'node:net'
import { listenHere } from '#bench/harness/processes.ts'
import { onEnd } from '#bench/harness/cleanup.ts'

/** A connection that this process asked the system for. */
export type Connection = { address: string; port: number }

type Connect = (request: unknown, address: string, port: number, ...rest: unknown[]) => number
type Handle = { connect: Connect; connect6: Connect }

/**
 * From now on every TCP connection of this process, whatever its address, is written down as the system is asked for
 * it, and leads to a port of this machine that closes it at once, so that nothing leaves the machine. Ports of `real`
 * are connected to as asked.
 */
export const watchConnections = async (real: ReadonlySet<number>): Promise<Connection[]> => {
  const trap = createServer((socket) => socket.on('error', () => {}).destroy())
  const trapPort = await listenHere(trap)
  const connections: Connection[] = []
  // Below node:net and node:tls, where nothing that they or the product decide is still to come.
  const handle = Object.getPrototypeOf((trap as unknown as { _handle: object })._handle) as Handle
  const { connect, connect6 } = handle
  const instead = (original: Connect): Connect =>
    function (this: unknown, request, address, port, ...rest) {
      connections.push({ address, port })
      if (real.has(port)) return original.call(this, request, address, port, ...rest)
      return connect.call(this, request, '127.0.0.1', trapPort, ...rest)
    }
  Object.assign(handle, { connect: instead(connect), connect6: instead(connect6) })
  onEnd(() => void Object.assign(handle, { connect, connect6 }))
  return connections
}
