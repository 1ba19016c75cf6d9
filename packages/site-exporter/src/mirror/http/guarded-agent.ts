import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { reachable } from './reachable.ts'

/** Finds the addresses of a host; the system's way, or another one in tests. */
export type Lookup = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void

/** Code of the error with which a connection to an address that must not be reached ends. */
export const notReachable = 'NOT_REACHABLE'

const everyAddress: Lookup = (host, done) => systemLookup(host, { all: true }, done)

/**
 * Connects to addresses that may be reached and to no other. The addresses that are checked are those that are connected to, at
 * every connection anew, so a name that changes its meaning gains nothing. A host with one forbidden address is refused whole.
 */
export const guardedAgent = (networks: readonly string[], lookup: Lookup = everyAddress): Agent => {
  const isReachable = reachable(networks)
  const checkedLookup: LookupFunction = (host, options, done) =>
    lookup(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return done(error ?? refusal(`${host} has no address`), '', 4)
      const forbidden = addresses.find(({ address }) => !isReachable(address))
      if (forbidden) return done(refusal(`${host} is at ${forbidden.address}`), '', 4)
      return options.all ? done(null, [...addresses]) : done(null, first.address, first.family)
    })
  const connect = buildConnector({ lookup: checkedLookup, allowH2: false, timeout: 10_000 })
  return new Agent({
    maxHeaderSize: 32 * 1024,
    connect: (options, done) => {
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      // No name, so nothing is looked up.
      if (isIP(literal) && !isReachable(literal)) return done(refusal(`the address is ${literal}`), null)
      connect(options, (...[error, socket]) => {
        if (error) return done(error, null)
        if (isReachable(findRemote(socket))) return done(null, socket)
        socket.destroy()
        done(refusal(`the address is ${findRemote(socket)}`), null)
      })
    },
  })
}

const findRemote = (socket: Socket) => socket.remoteAddress ?? ''

const refusal = (what: string) =>
  Object.assign(new Error(`${what}, which is private or has a special meaning`), { code: notReachable })
