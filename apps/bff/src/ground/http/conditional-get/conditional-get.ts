import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { waitForDatabase, withOwnDeadline } from '#ground/db/deadline.ts'
import { everything, readScope, seesEverything, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import {
  createCompressedJson,
  negotiateCoding,
  type Coding,
  type CompressedJson,
} from '#ground/http/conditional-get/compressed-json.ts'

/** Content of a list: `tag` changes with every write a reader can see; `now` is the server's time in milliseconds since the epoch. */
export type Revision = { tag: string; now: number }

export type Polled<S extends z.ZodType> = {
  /** Current revision, shared by concurrent requests (`coalesce`). Without one the response is rebuilt for every request. */
  current?: () => Promise<Revision>
  schema: S
  /**
   * Builds the response after its revision was read, so an old body never passes for a new one. `until`: when the body changes without a
   * write (milliseconds since the epoch), or null. `onPoll` runs for every request. The value must contain nothing outside `scope`.
   */
  read: (scope: TokenScope) => Promise<{ value: z.input<S>; until?: number | null; onPoll?: () => void }>
}

/** A response body that any number of readers can share. */
type CachedResponse = {
  json: CompressedJson
  /** Hash of the body; equal bodies have equal digests. */
  digest: string
  /** When the body changes without a write (milliseconds since the epoch), or null. */
  until: number | null
  /** Runs for every request that this response answers, 304 included. */
  onPoll: (() => void) | undefined
}

const cacheResponse = (value: object, { until, onPoll }: Pick<CachedResponse, 'until' | 'onPoll'>): CachedResponse => {
  const json = JSON.stringify(value)
  const digest = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  return { json: createCompressedJson(json), digest, until, onPoll }
}

/** Strong entity tag of a body in a coding. Codings differ in bytes, so they differ in tags. */
const formatEntityTag = (digest: string, coding: Coding): string =>
  `"${digest}${coding === 'identity' ? '' : `+${coding}`}"`

/**
 * The tag in `If-None-Match` that names this body in any coding, or null. A proxy that compresses may have weakened it; what is returned is
 * strong.
 */
const findListedTag = (digest: string, ifNoneMatch = ''): string | null => {
  const start = ifNoneMatch.indexOf(`"${digest}`)
  const tag = start < 0 ? null : /^"[\w-]+(?:\+(?:br|gzip))?"/.exec(ifNoneMatch.slice(start))
  return tag?.[0] ?? null
}

const maxBytes = 32 * 1024 * 1024
// Estimated memory: the JSON, and its compressed forms.
const estimateBytes = ({ json }: CachedResponse, key: string) => 4_096 + key.length + json.sizeBytes * 2

// In bytes, because addresses can have any length.
const maxAddressBytes = 4 * 1024 * 1024

const readAddress = (url: string) => url.slice(url.indexOf('/', url.indexOf('//') + 2))

/**
 * Builds each response once per revision, scope and address, and caches the most recently used ones within 32 MB. Concurrent requests
 * share one build.
 */
export const createConditionalGet = () => {
  const cache = new LRUCache<string, CachedResponse, () => Promise<CachedResponse>>({
    maxSize: maxBytes,
    sizeCalculation: estimateBytes,
    fetchMethod: (_key, _stale, { context: build }) => withOwnDeadline(build),
    // A waiting request gets its response even after the cache evicted it.
    ignoreFetchAbort: true,
  })

  const sources = new LRUCache<string, { current: () => Promise<Revision>; route: string }>({
    maxSize: maxAddressBytes,
    sizeCalculation: (_source, address) => 256 + address.length,
  })

  // Callers who see the same records share a response, even if their rights to change them differ.
  const toKey = (tag: string, { domains, projectIds, connectionIds }: TokenScope, address: string) =>
    JSON.stringify([tag, domains, projectIds, connectionIds, address])

  const findCached = (key: string, now: number) => {
    const cached = cache.get(key)
    return cached === undefined || (cached.until !== null && cached.until <= now) ? undefined : cached
  }

  const load = async <S extends z.ZodType>(c: Context<AppEnv>, { current, schema, read }: Polled<S>) => {
    const scope = readScope(c.var.identity)
    const build = async () => {
      const { value, until = null, onPoll } = await read(scope)
      return cacheResponse(schema.parse(value) as object, { until, onPoll })
    }
    if (current === undefined) return build()
    const { tag, now } = await current()
    const address = readAddress(c.req.url)
    if (seesEverything(scope)) sources.set(address, { current, route: routePath(c) })
    const key = toKey(tag, scope, address)
    const cached = findCached(key, now)
    return cached ?? waitForDatabase(() => cache.forceFetch(key, { context: build, forceRefresh: true }))
  }

  return {
    send: async <S extends z.ZodType>(c: Context<AppEnv>, polled: Polled<S>): Promise<Response> => {
      const { json, digest, onPoll } = await load(c, polled)
      onPoll?.()
      c.header('Vary', 'Accept-Encoding')
      const etag = findListedTag(digest, c.req.header('if-none-match'))
      if (etag !== null) {
        c.header('ETag', etag)
        return c.body(null, 304)
      }
      const { bytes, coding } = await json.encode(negotiateCoding(c.req.header('accept-encoding')))
      return c.body(new Uint8Array(bytes), 200, {
        'Content-Type': 'application/json',
        'Content-Length': String(bytes.length),
        ETag: formatEntityTag(digest, coding),
        ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
      })
    },
    /**
     * The 304 for a caller who sees everything: its tag, and the route of an address (path and query) that `send` answered before. Null
     * when the router must answer. Never rejects.
     */
    findUnchanged: (address: string, ifNoneMatch: string) => {
      const source = sources.get(address)
      if (source === undefined) return null
      return source.current().then(
        ({ tag, now }) => {
          const cached = findCached(toKey(tag, everything, address), now)
          const etag = cached === undefined ? null : findListedTag(cached.digest, ifNoneMatch)
          if (etag === null) return null
          cached?.onPoll?.()
          return { etag, route: source.route }
        },
        // The router describes the error.
        () => null,
      )
    },
  }
}

/** Answers GET requests with an `ETag`, and with 304 when the reader's copy is current. */
export type ConditionalGet = ReturnType<typeof createConditionalGet>
