import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { isLoopbackHost } from '#admin-api/loopback.ts'
import { AppError } from '#http/app-error.ts'
import { isAllowedAddress } from './address-rules.ts'
import { notAllowed, storageFailure } from './bundle-failures.ts'
import type { StorageBody } from './storage-body.ts'
import { exchangeWithStorage } from './storage-exchange.ts'

/** What the storage answered. The body must be read or destroyed. */
export type StorageAnswer = {
  status: number
  header: (name: string) => string | null
  body: StorageBody
}

/** Fetches bundle links, and nothing else. */
export type BundleFetch = {
  /** Whether the link may be handed to a browser: its scheme, and its host where there is an allow-list. Throws `upstream_unexpected`. */
  checkLink: (link: string) => URL
  /**
   * Asks the storage once: no redirect is followed, no credential sent, no content coding accepted. Throws `upstream_unexpected`,
   * `upstream_unavailable` or `upstream_timeout`, never with the link in it; any status is an answer.
   */
  get: (link: string, headers: Record<string, string>, signal: AbortSignal) => Promise<StorageAnswer>
  close: () => Promise<void>
}

const hostMatches = (host: string, pattern: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1 : host === pattern

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/**
 * The one place where the service names a host that Docket connects to. The link must be https (http only on loopback, and only when
 * the Admin API is loopback http itself), its host on `hosts` unless that is empty, and the address it resolves to is checked when the
 * connection is made: the checked address is the one connected to. Hosts listed by the operator may be private.
 */
export const bundleFetch = (options: {
  adminOrigin: string
  /** Names such as `storage.example.com` or `*.example.com`. */
  hosts: readonly string[]
  /** Milliseconds. */
  timeouts?: { connectMs?: number; headersMs?: number; bodyMs?: number }
  lookup?: typeof systemLookup
}): BundleFetch => {
  const { hosts, lookup = systemLookup } = options
  const { connectMs = 10_000, headersMs = 30_000, bodyMs = 30_000 } = options.timeouts ?? {}
  const admin = new URL(options.adminOrigin)
  const embedded = admin.protocol === 'http:' && isLoopbackHost(admin.hostname)

  const isListed = (host: string) => hosts.some((pattern) => hostMatches(host, pattern.toLowerCase()))
  const isOwn = (host: string) => embedded && isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host)
  const isAllowed = (host: string, address: string) =>
    isAllowedAddress(address, { private: isListed(host), loopback: isOwn(host) })

  // Called for every new connection to a name, and its answer is what the socket connects to: a second, different answer of DNS is never seen.
  const checkedLookup: LookupFunction = (hostname, { all, ...rest }, done) => {
    lookup(hostname, { ...rest, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '')
      const allowed = found.filter(({ address }) => isAllowed(bare(hostname), address))
      const [first] = allowed
      if (first === undefined) return done(notAllowed(), '')
      if (all === true) return done(null, allowed)
      done(null, first.address, first.family)
    })
  }
  const sockets = new Set<Socket>()
  const onSocket = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  const checkLink = (link: string): URL => {
    const refuse = (why: string): never => {
      throw new AppError('upstream_unexpected', `The service gave a bundle link that Docket does not follow: ${why}.`)
    }
    const url = URL.parse(link) ?? refuse('it is not an address')
    const host = bare(url.hostname)
    if (url.username !== '' || url.password !== '') refuse('it carries a user name')
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn(host)))
      refuse('it is not https, so anybody on the way could read or change the bundle')
    if (hosts.length > 0 && !isListed(host) && !isOwn(host))
      refuse(`the host ${host} is not in BUNDLE_HOSTS. Add it there if it is your storage`)
    return url
  }

  return {
    checkLink,
    get: async (link, headers, signal) => {
      const url = checkLink(link)
      const host = bare(url.hostname)
      try {
        // A literal address is connected to without a lookup.
        if (isIP(host) !== 0 && !isAllowed(host, host)) throw notAllowed()
        const { headers: received, ...answer } = await exchangeWithStorage(url, {
          headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'docket', ...headers },
          lookup: checkedLookup,
          timeouts: { connectMs, headersMs, bodyMs },
          signal,
          onSocket,
        })
        const header = (name: string) => {
          const value = received[name]
          return typeof value === 'string' ? value : null
        }
        return { ...answer, header }
      } catch (error) {
        throw storageFailure(error, host)
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
