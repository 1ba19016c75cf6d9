import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { type AddressRule, allowPublicAnd, blockedPorts, isLoopbackHost, stripHost } from '@docket/outbound/addresses'
import { isSendable, readLink, readTarget } from '#service/admin-api/wire/link.ts'
import { innerAddressError, LinkRefused, toStorageError, storageTimeoutError } from './bundle-failures.ts'
import { createOutboundAgent } from '@docket/outbound/outbound'
import type { Dispatcher } from 'undici'

/** Body of a response. Read it or destroy it. */
type StorageBody = AsyncIterable<Uint8Array> & { destroy: () => void }

// Bundle storage needs far fewer headers.
const maxHeaderBytes = 32_768
// Beyond this, the framing must be shorter than the body: interim responses, chunk extensions and tiny chunks carry nothing.
const maxFramingBytes = 1_048_576
const checkMs = 50

const unusableAnswerError = (code: string) => Object.assign(new Error('The storage sent no usable response.'), { code })

/**
 * Sends one GET over a connection of its own. Limits in milliseconds: `headersMs` for all headers together, `bodyMs` for each piece of the
 * body while a reader waits for it. Rejects with an error that may contain the link.
 */
const requestStorage = async (
  { url, target: path, allows }: AllowedLink,
  options: {
    headers: Record<string, string>
    lookup: LookupFunction
    timeouts: { connectMs: number; headersMs: number; bodyMs: number }
    signal: AbortSignal
  },
): Promise<{ status: number; headers: Dispatcher.ResponseData['headers']; body: StorageBody }> => {
  const { headers, lookup, timeouts, signal } = options
  let hasHeaders = false
  let bodyBytes = 0
  /** Ends a connection whose headers are late, or that carries more framing than body. */
  const watch = (socket: Socket) => {
    const from = performance.now()
    const check = setInterval(() => {
      if (!hasHeaders && performance.now() - from > timeouts.headersMs) socket.destroy(storageTimeoutError())
      if (socket.bytesRead > maxFramingBytes + 2 * bodyBytes) socket.destroy(unusableAnswerError('TOO_MUCH_FRAMING'))
    }, checkMs)
    socket.once('close', () => clearInterval(check))
  }
  const agent = createOutboundAgent({
    allows,
    skipsForbidden: true,
    lookup,
    connectMs: timeouts.connectMs,
    onSocket: watch,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: timeouts.bodyMs,
  })
  const end = () => void agent.destroy()
  try {
    const answer = await agent.request({ origin: url.origin, method: 'GET', path, headers, signal, reset: true })
    hasHeaders = true
    // Failures reach the reader of the body. Without this listener, a failure without a reader would end the process.
    answer.body.on('error', () => {}).once('close', end)
    const coding = answer.headers['transfer-encoding']
    if (coding !== undefined && String(coding).trim().toLowerCase() !== 'chunked')
      throw unusableAnswerError('UNKNOWN_CODING')
    async function* read() {
      for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
        bodyBytes += piece.length
        yield piece
      }
    }
    const body = { [Symbol.asyncIterator]: read, destroy: () => void answer.body.destroy() }
    return { status: answer.statusCode, headers: answer.headers, body }
  } catch (error) {
    end()
    throw error
  }
}

/** An accepted link, its path and query as written, its place as in `BUNDLE_HOSTS`, and the addresses its host may resolve to. */
type AllowedLink = { url: URL; target: string; place: string; allows: AddressRule }

/** Ports of databases, queues and clusters. */
const serverPorts = [
  0, 445, 873, 1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 6379, 6443, 9042, 9092,
  9200, 9300, 10250, 11211, 26379, 27017,
]
const infrastructure = new Set([...blockedPorts, ...serverPorts])

const hostMatches = (host: string, pattern: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1 : host === pattern

/** True when an entry names the host and port of a link. Without a port it means the default port. */
const isNamedBy = (entry: string, { hostname, port, protocol }: URL) => {
  const [, pattern = '', entryPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  if (!hostMatches(stripHost(hostname), stripHost(pattern))) return false
  return entryPort === undefined ? port === '' : entryPort === (port || (protocol === 'http:' ? '80' : '443'))
}

/**
 * Returns the check of bundle links. It requires https (or http beside a loopback http Admin API, or to a store that an operator allows it
 * to), no userinfo, and a
 * host and port on `hosts` unless that is empty. Unlisted ports of infrastructure and inner addresses are refused; on
 * this machine, only the port of the Admin API is allowed. The check throws `upstream_unexpected`.
 */
const createLinkRules = (options: {
  adminOrigin: string
  hosts: readonly string[]
}): ((link: string, from?: URL) => AllowedLink) => {
  const { hosts } = options
  const admin = new URL(options.adminOrigin)
  const embedded = admin.protocol === 'http:' && isLoopbackHost(admin.hostname)

  return (link, from) => {
    const what = from === undefined ? 'The service returned a bundle link' : 'The bundle storage redirects to a link'
    const refuse = (why: string): never => {
      throw new LinkRefused(`${what} that Docket doesn’t follow: ${why}.`)
    }
    if (!isSendable(link)) refuse('it contains a line break or another control character')
    const url = URL.parse(link) ?? refuse('it is not an address')
    const host = stripHost(url.hostname)
    const onLoopback = isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host)
    const place = `${isIP(host) === 6 ? `[${host}]` : host}${url.port === '' ? '' : `:${url.port}`}`
    const isPlainStore = url.protocol === 'http:' && hosts.includes(url.origin)
    const isListed = isPlainStore || hosts.some((entry) => isNamedBy(entry, url))
    const own = embedded && onLoopback && (url.port === admin.port || isListed)
    if (url.username !== '' || url.password !== '') refuse('it contains a user name')
    if (embedded && onLoopback && !own)
      refuse(`it leads to another port of this machine. If it is your storage, add ${place} to BUNDLE_HOSTS`)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && own) && !isPlainStore)
      refuse('it isn’t https, so others could read or change the bundle')
    if (infrastructure.has(Number(url.port || '443')) && !isListed && !own)
      refuse(
        `other services, such as databases and mail, use port ${url.port}. If it is your storage, add ${place} to BUNDLE_HOSTS`,
      )
    const isElsewhere = from !== undefined && url.origin !== from.origin
    if ((hosts.length > 0 && !isListed && !own) || (isElsewhere && !isListed))
      refuse(`${place} is not in BUNDLE_HOSTS. Add it there if it is your storage`)
    const allows = allowPublicAnd({ kinds: isListed ? ['private', 'loopback'] : own ? ['loopback'] : [] })
    // A literal address needs no lookup, and for a browser this is the only check.
    const isInner = isIP(host) === 0 ? onLoopback && !isListed && !own : !allows(host)
    if (isInner) throw innerAddressError(place)
    return { url, target: readTarget(link), place, allows }
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const maxRedirects = 3

/** Target of a redirect. Null for any other response. */
const findRedirect = ({ status, header }: StorageAnswer, { url, target }: AllowedLink): string | null => {
  const location = redirectStatuses.has(status) ? header('location') : null
  return location === null ? null : readLink(location, url.origin + target)
}

/** Response of the storage. Read or destroy the body. */
export type StorageAnswer = {
  status: number
  header: (name: string) => string | null
  body: Awaited<ReturnType<typeof requestStorage>>['body']
}

/**
 * Bundle links are the only case in which the service chooses a host that Docket connects to. A link must pass the link rules, and the
 * connection goes to the checked address. Listed hosts may be private.
 */
export const createBundleFetch = (options: {
  adminOrigin: string
  /**
   * A host, such as `storage.example.com` (its default port only), `*.example.com:8443` or `[fd00::1]:9000`; after `http://`, the store of
   * the embedded service that an operator allows plain http to.
   */
  hosts: readonly string[]
  timeouts?: { connectMs?: number; headersMs?: number; bodyMs?: number }
  lookup?: typeof systemLookup
}) => {
  const { lookup = systemLookup } = options
  const { connectMs = 10_000, headersMs = 30_000, bodyMs = 30_000 } = options.timeouts ?? {}
  const judged = createLinkRules(options)

  const closing = new AbortController()

  const getOnce = async (
    link: AllowedLink,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<StorageAnswer> => {
    try {
      const { headers: received, ...answer } = await requestStorage(link, {
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'docket', ...headers },
        lookup: lookup as LookupFunction,
        timeouts: { connectMs, headersMs, bodyMs },
        signal: AbortSignal.any([signal, closing.signal]),
      })
      const header = (name: string) => {
        const value = received[name]
        return typeof value === 'string' ? value : null
      }
      return { ...answer, header }
    } catch (error) {
      throw toStorageError(error, link.place)
    }
  }

  return {
    /** Returns the link for a browser, which resolves its host itself. Throws `upstream_unexpected`. */
    checkLink: (link: string) => {
      const { url, target } = judged(link)
      return url.origin + target
    },
    /**
     * Requests a link without credentials or content codings. Follows at most three redirects, each under the same rules; to another origin
     * only if its host is on `hosts`.
     * Returns any status. Throws `upstream_unexpected`, `upstream_unavailable` or `upstream_timeout`, never with the link in it.
     */
    get: async (link: string, headers: Record<string, string>, signal: AbortSignal) => {
      let allowed = judged(link)
      for (let redirects = 0; ; redirects += 1) {
        const answer = await getOnce(allowed, headers, signal)
        const target = redirects < maxRedirects ? findRedirect(answer, allowed) : null
        if (target === null) return answer
        answer.body.destroy()
        allowed = judged(target, allowed.url)
      }
    },
    close: async () => {
      closing.abort()
    },
  }
}

export type BundleFetch = ReturnType<typeof createBundleFetch>
