import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { reachable } from '@docket/sources/reachable'
import { Agent, buildConnector } from 'undici'

export type Lookup = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void

export const notReachable = 'NOT_REACHABLE'

const everyAddress: Lookup = (host, done) => systemLookup(host, { all: true }, done)

/** Connects only to permitted addresses. Checks every connection, so DNS changes gain nothing; refuses hosts with any forbidden address. */
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
      // Literals skip the lookup.
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
