import { allowAllButMetadata } from '@docket/outbound/addresses'
import { readTheirNow } from '@docket/outbound/clock'
import { createOutboundAgent } from '@docket/outbound/outbound'
import { exchange, type Exchange, createWireLimit } from '#service/admin-api/transport/exchange.ts'
import { createOwnClock } from '#service/admin-api/transport/own-clock.ts'
import { readAnswerBody, retryAfterMs } from '#service/admin-api/transport/response-body.ts'
import { assertUnchangedPath } from '#service/admin-api/transport/upstream-path.ts'
import { cleanSentence, readSentence } from '#service/admin-api/wire/sentence.ts'
import type { AdminApi, AdminApiOperation } from './admin-api.ts'
import { AdminApiError, type Effect } from '#ground/errors/app-error.ts'
import type { ExtraCredentials } from '#ground/config/extra-credentials.ts'
import { parseBaseUrl } from '#ground/config/base-url.ts'
import { type Call, calls } from './calls.ts'
import type { Outcome } from './connection.ts'
import {
  describeFailure,
  type Failure,
  type ConnectionPlaces,
  environmentPlaces,
  classifyBody,
  classifyBreakdown,
  classifyStatus,
  mayBeMissing,
  unexpectedResponseFailure,
} from './failures.ts'

/** Times in milliseconds. */
export type HttpAdminApiOptions = {
  /** https, or http on loopback; may have a base path. */
  baseUrl: string
  /** Called before every call, so a rotated key takes effect at once. */
  key: () => string | Promise<string>
  readKey?: (() => string | Promise<string>) | undefined
  /** For a gateway in front. Sent to the origin of `baseUrl` only; the certificate over https only. */
  extra?: ExtraCredentials | undefined
  /** Default: the environment. */
  places?: ConnectionPlaces | undefined
  /** Must not throw. */
  onOutcome?: ((outcome: Outcome) => void) | undefined
  /** Defaults: 5 s to connect, 15 s to the headers, 10 s between pieces of the body, 30 s in all. */
  timeouts?: { connectMs?: number; headersMs?: number; bodyMs?: number; totalMs?: number } | undefined
  now?: (() => number) | undefined
}

type NamedCall<T extends object> = Call<T> & { operation: AdminApiOperation }

export type HttpAdminApi = AdminApi & { close(): Promise<void> }

// Limit for decompressed bytes; normal responses have a few hundred.
const maxBytes = 1_048_576
// Limit that includes headers and chunk sizes.
const maxWireBytes = 2 * maxBytes

const buildHeaders = (call: Call<object>, key: string): Record<string, string> => ({
  accept: 'application/json',
  'accept-encoding': 'identity',
  authorization: `Bearer ${key}`,
  'user-agent': 'docket',
  ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
})

/** Client of the Admin API over HTTP (§4, §5). Makes each call once. Keys never leave this closure. Throws when `baseUrl` is invalid. */
export const httpAdminApi = (options: HttpAdminApiOptions): HttpAdminApi => {
  const { origin, basePath } = parseBaseUrl(options.baseUrl)
  const { connectMs = 5_000, headersMs = 15_000, bodyMs = 10_000, totalMs = 30_000 } = options.timeouts ?? {}
  const { headers: extraHeaders = {}, clientCertificate = null } = options.extra ?? {}
  const { now = Date.now, places: { address, ...keyPlaces } = environmentPlaces } = options
  const wire = createWireLimit(maxWireBytes)
  // With one request at a time per connection, the client can prove that a request was never sent.
  const { certificate: cert, key } = clientCertificate ?? {}
  const connections = { allows: allowAllButMetadata, connectMs, onSocket: wire.watch, cert, key }
  const reads = createOutboundAgent({ ...connections, keepAliveMaxTimeout: 60_000 })
  // A POST never reuses a connection: if the service closed it in the meantime, the effect would be unknown.
  const writes = createOutboundAgent({ ...connections, pipelining: 0 })
  // Includes old keys: after a rotation, a slow response may still contain the previous one.
  const keys = new Set<string>()
  const onOwnClock = createOwnClock()

  const readKeyIfReadable = async () => {
    try {
      return await options.readKey?.()
    } catch {
      return undefined
    }
  }
  const keyFor = async (method: Call<object>['method']) => {
    const readKey = method === 'GET' ? options.readKey : undefined
    const place = readKey === undefined ? keyPlaces.key : keyPlaces.readKey
    try {
      const key = await (readKey ?? options.key)()
      keys.add(key)
      // A response may also contain the other key.
      const other = method !== 'GET' ? await readKeyIfReadable() : undefined
      if (other !== undefined) keys.add(other)
      return { key, place }
    } catch {
      // The error has no `cause`, because the error of the key source may contain the key.
      const message = `Docket couldn’t read the admin key. Check ${place}.`
      throw new AdminApiError('upstream_key_rejected', message, { effect: 'none' })
    }
  }

  const read = async <T extends object>(
    call: NamedCall<T>,
    answer: Exchange,
    { address: called, keyPlace }: { address: string; keyPlace: string },
  ): Promise<T> => {
    const unsure: Effect = call.method !== 'GET' && answer.hasLeft ? 'unknown' : 'none'
    let named: string | null = null
    const fail = (failure: Failure, effect: Effect, sentence: string | null = null, waitMs: number | null = null) => {
      const message = describeFailure(failure, {
        operation: call.operation,
        places: { address, key: keyPlace },
        isUnknown: effect === 'unknown',
        sentence,
      })
      const cause = answer.breakdown === null ? undefined : new Error(answer.breakdown.code)
      const gone = failure.gone ?? false
      const details = { effect, sentence, about: call.about, retryAfterMs: waitMs, gone, named, cause }
      return new AdminApiError(failure.code, message, details)
    }
    const { status, breakdown, headers } = answer
    const theirNow = readTheirNow((name) => headers[name])
    const isGood = status !== null && status >= 200 && status < 300
    if (breakdown !== null && (status === null || isGood)) {
      throw fail(classifyBreakdown(breakdown, { origin, hasLeft: answer.hasLeft }), unsure)
    }
    const body = await readAnswerBody(answer.body, headers, call.maxBytes ?? maxBytes)
    const json = 'json' in body ? body.json : null
    const secrets = { keys, all: [...keys, ...Object.values(extraHeaders)] }
    named = call.findNamed?.(json, headers['location'], secrets) ?? null
    const waitMs = retryAfterMs(headers['retry-after'], theirNow ?? now())
    const value = isGood && json !== null ? call.parse(json, secrets, called) : null
    const isPending = status === 202 && call.operation === 'generateBundle' && value === null
    if (isGood && !isPending) {
      if ('problem' in body) throw fail(classifyBody(origin, body.problem), unsure)
      if (value === null || typeof value === 'string')
        throw fail(unexpectedResponseFailure(origin, value ?? call.missing), unsure)
      return onOwnClock(value, theirNow === null ? null : theirNow - now())
    }
    // A web page does not prove that the record is gone: the address is probably wrong.
    if (
      (status === 404 || status === 410) &&
      'problem' in body &&
      body.problem === 'html' &&
      !mayBeMissing(call.operation)
    )
      throw fail(classifyBody(origin, 'html'), 'none')
    // After 307 or 308 (RFC 9110 §15.4) nothing was done; 301 to 303 may follow a request that was carried out.
    const isRefusal =
      isPending ||
      status === 307 ||
      status === 308 ||
      (status !== null && status >= 400 && status < 500 && status !== 408)
    const failure = classifyStatus(status ?? 0, { operation: call.operation, retryAfterMs: waitMs })
    // A message that is shown alone is kept whole.
    const max = failure.inOwnWords === true ? 2_000 : undefined
    // A 404 as text comes from anything, so it is no message of an Admin API.
    const isText = failure.code !== 'upstream_not_found' && headers['content-type']?.startsWith('text/plain') === true
    const text = isText && 'text' in body ? cleanSentence(body.text, secrets.all, max) : null
    const sentence = text ?? readSentence(json, secrets.all, max)
    throw fail(failure, isRefusal ? 'none' : unsure, sentence, waitMs)
  }

  const ask = async <T extends object>(call: NamedCall<T>): Promise<T> => {
    const path = assertUnchangedPath(origin, basePath + call.path)
    const { key, place } = await keyFor(call.method)
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const request = {
      origin,
      path,
      method: call.method,
      headers: { ...extraHeaders, ...buildHeaders(call, key) },
      body,
    }
    const answer = await exchange(call.method === 'GET' ? reads : writes, request, {
      headersMs,
      bodyMs,
      totalMs,
      maxBytes: call.maxBytes ?? maxBytes,
    })
    return read(call, answer, { address: origin + path, keyPlace: place })
  }

  const run = async <T extends object>(call: NamedCall<T>): Promise<T> => {
    const key = call.method === 'GET' && options.readKey !== undefined ? 'read' : 'main'
    const startedAt = performance.now()
    const report = (error: AdminApiError | null) =>
      options.onOutcome?.({ operation: call.operation, key, error, ms: performance.now() - startedAt })
    try {
      const value = await ask(call)
      report(null)
      return value
    } catch (error) {
      if (error instanceof AdminApiError) report(error)
      throw error
    }
  }

  const methods = Object.entries(calls).map(([operation, build]: [string, (request: never) => Call<object>]) => [
    operation,
    // `async` turns the error for an invalid id into a rejection, like every other failure.
    async (request: never) => run({ ...build(request), operation: operation as AdminApiOperation }),
  ])
  return {
    ...(Object.fromEntries(methods) as Omit<AdminApi, 'origin'>),
    origin,
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()])
      wire.close()
    },
  }
}
