import { explainConnection } from '@docket/outbound/explain-connection'
import { fetchOnce, type OutboundAgent } from '@docket/outbound/outbound'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { CodeHostError, type Pause, refused, withRetries } from '#code-host-error.ts'
import { type Answer, findSpentLimit, type ServiceLabels, toCodeHostError } from './refusals.ts'

const answerLimitBytes = 4 * 1024 * 1024
type Request = { body?: object; etag?: string }

/** Longest time of one call. Milliseconds. */
const timeoutMs = 30_000

export type AccessToken = {
  /** Rejects with a `CodeHostError`. */
  read(signal?: AbortSignal): Promise<string>
  /** Drops a token that the service refused. True when `read` will return another one. */
  renew(refused: string): boolean
}

/** Responses with an ETag by their address. A 304 costs nothing of GitHub's limit. */
export const createResponseCache = () => new LRUCache<string, { etag: string; json: unknown }>({ max: 300 })

export type ServiceAt = {
  /** Base address of the API, without a trailing slash. */
  base: string
  /** Path of the repository: `owner/name`, or with more groups before it. */
  path: string
  token: AccessToken
  labels: ServiceLabels
  pause: Pause
  connect: OutboundAgent
  /** Shared by all repositories of a service and token. */
  cache: ReturnType<typeof createResponseCache>
  /** Called with the wait in milliseconds when the service reports that its rate limit is used up. */
  onSpent: (waitMs: number) => void
}

/** Rejects with a `CodeHostError` unless the response matches the schema. Follows no redirect, because the token is for this host only. */
export const createApiClient = (at: ServiceAt, headers: (token: string) => Record<string, string>) => {
  const { base, token, connect, labels, pause, cache, onSpent } = at
  const { host } = new URL(base)

  const ask = async (key: string, path: string, signal: AbortSignal, { body, etag }: Request): Promise<Answer> => {
    const answer = await fetchOnce(connect, base + path, {
      maxBytes: answerLimitBytes,
      headers: {
        ...headers(key),
        'user-agent': 'docket-local-admin-api',
        ...(body && { 'content-type': 'application/json' }),
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal,
    })
    if (answer === null) throw refused(`${labels.service} at ${host} sent an answer that is too large to be one.`)
    return { status: answer.status, headers: answer.headers, json: parseJson(answer.body.toString()) }
  }

  const send = async (path: string, signal?: AbortSignal, more: Request = {}): Promise<Answer> => {
    const askWith = async (key: string) => {
      const limit = AbortSignal.timeout(timeoutMs)
      const either = signal ? AbortSignal.any([signal, limit]) : limit
      return ask(key, path, either, more).catch((error: unknown) => {
        signal?.throwIfAborted()
        if (error instanceof CodeHostError) throw error
        const why = limit.aborted ? `no answer in ${timeoutMs / 1000} s` : explainFailure(error)
        throw new CodeHostError('unreachable', `${labels.service} at ${host} cannot be reached: ${why}.`)
      })
    }
    const key = await token.read(signal)
    const first = await askWith(key)
    // A refused request had no effect, so it may be repeated with a new token.
    const answer = first.status === 401 && token.renew(key) ? await askWith(await token.read(signal)) : first
    const waitMs = findSpentLimit(answer)
    if (waitMs !== null) onSpent(waitMs)
    const failure = answer.status === 304 && more.etag !== undefined ? null : toCodeHostError(labels, host, answer)
    if (failure) throw failure
    return answer
  }

  const call = async (path: string, signal?: AbortSignal, body?: object): Promise<unknown> =>
    (await send(path, signal, body && { body })).json

  const readOnce = async (path: string, signal?: AbortSignal): Promise<unknown> => {
    const key = base + path
    const cached = cache.get(key)
    const answer = await send(path, signal, cached && { etag: cached.etag })
    const etag = answer.headers.get('etag')
    const current = answer.status === 304 ? cached : etag === null ? undefined : { etag, json: answer.json }
    cache.set(key, current)
    return current?.json ?? answer.json
  }

  const parse = <T>(schema: z.ZodType<T>, answer: unknown): T => {
    const read = schema.safeParse(answer)
    if (read.success) return read.data
    const field = read.error.issues[0]?.path.join('.') || 'the whole of it'
    throw refused(`The answer of ${labels.service} is not as its API documents it (${field}).`)
  }

  const read = async <T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal) =>
    parse(schema, await readOnce(path, signal))

  return {
    /** Reads once. An unchanged response comes from the cache. */
    read,
    /** Reads once. Null when it does not exist or the token may not see it. */
    readIfAllowed: async <T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T | null> =>
      read(path, schema, signal).catch((error: unknown) => {
        if (error instanceof CodeHostError && (error.kind === 'missing' || error.kind === 'forbidden')) return null
        throw error
      }),
    get: async <T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal) =>
      parse(schema, await withRetries(() => call(path, signal), pause, signal)),
    post: async <T>(path: string, schema: z.ZodType<T>, body: object, signal?: AbortSignal) =>
      parse(schema, await call(path, signal, body)),
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Serves both the API of a code host and git. */
export const caFileSetting = 'LOCAL_CODE_HOST_CA_FILE'

/** Cause of a failed connection, which the message of `fetch` omits. */
const explainFailure = (error: unknown): string => {
  const cause = (error as { cause?: Error }).cause
  if (cause?.message === 'bad port') return 'web clients do not connect to this port. Use another one'
  return explainConnection(error, caFileSetting) ?? `the connection failed (${cause?.message ?? 'no reason given'})`
}
