import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { isAllowedAddress, type AllowedAddresses } from './address-rules.ts'
import { notAllowed, storageFailure } from './bundle-failures.ts'
import { linkRules } from './link-rules.ts'
import { getRaw, type RawResponse } from './raw-get/raw-get.ts'

/** What the storage answered. The body must be read or destroyed. */
export type StorageAnswer = {
  status: number
  header: (name: string) => string | null
  body: RawResponse['body']
}

/** Fetches bundle links, and nothing else. */
export type BundleFetch = {
  /** The link when it may be handed to a browser; what its host resolves to there is not known. Throws `upstream_unexpected`. */
  checkLink: (link: string) => URL
  /**
   * Asks the storage once: no redirect is followed, no credential sent, no content coding accepted. Throws `upstream_unexpected`,
   * `upstream_unavailable` or `upstream_timeout`, never with the link in it; any status is an answer.
   */
  get: (link: string, headers: Record<string, string>, signal: AbortSignal) => Promise<StorageAnswer>
  close: () => Promise<void>
}

/**
 * The one place where the service names a host that Docket connects to. The link must pass `linkRules`, and the address its host resolves
 * to is checked when the connection is made: the checked address is the one connected to. Hosts listed by the operator may be private.
 */
export const bundleFetch = (options: {
  adminOrigin: string
  /** Such as `storage.example.com` (its default port only), `*.example.com:8443` or `[fd00::1]:9000`. */
  hosts: readonly string[]
  /** Milliseconds. */
  timeouts?: { connectMs?: number; headersMs?: number; bodyMs?: number }
  lookup?: typeof systemLookup
}): BundleFetch => {
  const { lookup = systemLookup } = options
  const { connectMs = 10_000, headersMs = 30_000, bodyMs = 30_000 } = options.timeouts ?? {}
  const judged = linkRules(options)

  // Called for every new connection to a name, and its answer is what the socket connects to: a second, different answer of DNS is never seen.
  const checkedLookup =
    (allowed: AllowedAddresses): LookupFunction =>
    (hostname, { all, ...rest }, done) => {
      lookup(hostname, { ...rest, all: true }, (error, found: LookupAddress[]) => {
        if (error !== null) return done(error, '')
        const usable = found.filter(({ address }) => isAllowedAddress(address, allowed))
        const [first] = usable
        if (first === undefined) return done(notAllowed(), '')
        if (all === true) return done(null, usable)
        done(null, first.address, first.family)
      })
    }
  const sockets = new Set<Socket>()
  const onSocket = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  return {
    checkLink: (link) => judged(link).url,
    get: async (link, headers, signal) => {
      const { url, place, allowed } = judged(link)
      try {
        const { headers: received, ...answer } = await getRaw(url, {
          headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'docket', ...headers },
          lookup: checkedLookup(allowed),
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
        throw storageFailure(error, place)
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
