import { Agent } from 'undici'
import { AdminApiError } from './admin-api.ts'
import type { AdminApi, Effect } from './admin-api.ts'
import { readAnswerBody } from '#admin-api/transport/answer-body.ts'
import { parseBaseUrl } from './base-url.ts'
import { calls } from './calls.ts'
import type { Call } from './calls.ts'
import type { Outcome } from './connection.ts'
import { exchange } from '#admin-api/transport/exchange.ts'
import type { Exchange } from '#admin-api/transport/exchange.ts'
import { doubtAbout, failureOfBody, failureOfBreakdown, failureOfStatus, mayBeMissing, unexpected } from './failures.ts'
import type { Failure } from './failures.ts'
import { retryAfterMs } from '#admin-api/transport/retry-after.ts'
import { sentenceOf } from '#admin-api/wire/sentence.ts'
import { assertUnchangedPath } from '#admin-api/transport/upstream-path.ts'
import { wireLimit } from '#admin-api/transport/wire-limit.ts'

/** How to reach the Admin API. Times in milliseconds. */
export type HttpAdminApiOptions = {
  /** https, or http on loopback; may have a base path. */
  baseUrl: string
  /** The admin key, asked for before every call so that a rotated one is used at once. */
  key: () => string | Promise<string>
  /** A second key, used for the two reads when there is one. */
  readKey?: (() => string | Promise<string>) | undefined
  /** Hears how every call ended, for the connection status and metrics. Must not throw. */
  onOutcome?: ((outcome: Outcome) => void) | undefined
  /** Defaults: 5 s to connect, 15 s to the headers, 10 s between pieces of the body, 30 s in all. */
  timeouts?: { connectMs?: number; headersMs?: number; bodyMs?: number; totalMs?: number } | undefined
  now?: (() => number) | undefined
}

/** The client, and the way to drop its connections. */
export type HttpAdminApi = AdminApi & { close(): Promise<void> }

// Inflated bytes; honest answers have a few hundred.
const maxBytes = 1_048_576
// With headers, chunk sizes and what else travels.
const maxWireBytes = 2 * maxBytes

const headersOf = (call: Call<object>, key: string): Record<string, string> => ({
  accept: 'application/json',
  'accept-encoding': 'identity',
  authorization: `Bearer ${key}`,
  'user-agent': 'docket',
  ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
})

/**
 * The Admin API over HTTP (§4, §5). The keys live in this closure only: never in a field, an error, a log or a redirect. A call is
 * made once, never repeated; ids cannot leave the fixed path templates. Throws at once when `baseUrl` is not acceptable.
 */
export const httpAdminApi = (options: HttpAdminApiOptions): HttpAdminApi => {
  const { origin, basePath } = parseBaseUrl(options.baseUrl)
  const { connectMs = 5_000, headersMs = 15_000, bodyMs = 10_000, totalMs = 30_000 } = options.timeouts ?? {}
  const { now = Date.now } = options
  const wire = wireLimit({ timeout: connectMs, allowH2: false }, maxWireBytes)
  const { connect } = wire
  // HTTP/1.1 only: one request at a time on a connection is what makes "it never left" provable.
  const reads = new Agent({ allowH2: false, connect, keepAliveMaxTimeout: 60_000 })
  // A POST never travels on a kept connection: if the service closed it meanwhile, nobody could tell whether the request arrived.
  const writes = new Agent({ allowH2: false, connect, pipelining: 0 })
  // Old keys too: after a rotation a slow answer may still echo the one before.
  const secrets = new Set<string>()

  const readKeyIfReadable = async () => {
    try {
      return await options.readKey?.()
    } catch {
      return undefined
    }
  }
  const keyFor = async (method: Call<object>['method']) => {
    const readKey = method === 'GET' ? options.readKey : undefined
    const name = readKey === undefined ? 'ADMIN_API_KEY' : 'ADMIN_API_READ_KEY'
    try {
      const key = await (readKey ?? options.key)()
      secrets.add(key)
      // A service may repeat the key that it was not asked with, too.
      const other = method === 'POST' ? await readKeyIfReadable() : undefined
      if (other !== undefined) secrets.add(other)
      return { key, name }
    } catch {
      // Not even as a cause: whoever failed to give the key may have said which.
      const message = `The admin key could not be read. Check ${name} and ${name}_FILE.`
      throw new AdminApiError('upstream_key_rejected', message, { effect: 'none' })
    }
  }

  const read = async <T extends object>(call: Call<T>, answer: Exchange, keyName: string): Promise<T> => {
    const unsure: Effect = call.method === 'POST' && answer.sent ? 'unknown' : 'none'
    const fail = (failure: Failure, effect: Effect, sentence: string | null = null, waitMs: number | null = null) => {
      const doubt = effect === 'unknown' ? doubtAbout(call.operation) : ''
      const quote = sentence === null ? '' : ` The service says: “${sentence}”`
      const cause = answer.breakdown === null ? undefined : new Error(answer.breakdown.code)
      const details = { effect, sentence, retryAfterMs: waitMs, cause }
      return new AdminApiError(failure.code, failure.message + doubt + quote, details)
    }
    const { status, breakdown } = answer
    const isGood = status !== null && status >= 200 && status < 300
    if (breakdown !== null && (status === null || isGood)) {
      throw fail(failureOfBreakdown(breakdown, { origin, sent: answer.sent }), unsure)
    }
    const body = await readAnswerBody(answer.body, answer.headers, maxBytes)
    if (isGood) {
      if ('problem' in body) throw fail(failureOfBody(origin, body.problem), unsure)
      const value = call.parse(body.json, secrets)
      if (value === null || typeof value === 'string') throw fail(unexpected(origin, value ?? call.missing), unsure)
      return value
    }
    const waitMs = retryAfterMs(answer.headers['retry-after'], now())
    // A web page says nothing about a record: most likely the address is wrong, and nothing may be taken for gone.
    if (status === 404 && 'problem' in body && body.problem === 'html' && !mayBeMissing(call.operation))
      throw fail(failureOfBody(origin, 'html'), 'none')
    const isRefusal = status !== null && status >= 400 && status < 500 && status !== 408
    const failure = failureOfStatus(status ?? 0, { operation: call.operation, keyName, retryAfterMs: waitMs })
    throw fail(failure, isRefusal ? 'none' : unsure, 'json' in body ? sentenceOf(body.json, secrets) : null, waitMs)
  }

  const ask = async <T extends object>(call: Call<T>): Promise<T> => {
    const path = assertUnchangedPath(origin, basePath + call.path)
    const { key, name } = await keyFor(call.method)
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const request = { origin, path, method: call.method, headers: headersOf(call, key), body }
    const answer = await exchange(call.method === 'GET' ? reads : writes, request, {
      headersMs,
      bodyMs,
      totalMs,
      maxBytes,
    })
    return read(call, answer, name)
  }

  const run = async <T extends object>(call: Call<T>): Promise<T> => {
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

  // async, so that a refused id is a rejection like every other failure.
  return {
    origin,
    getAgentJob: async (key) => run(calls.getAgentJob(key)),
    createAgentJob: async (request) => run(calls.createAgentJob(request)),
    sendAgentMessage: async (request) => run(calls.sendAgentMessage(request)),
    startStaticExport: async (request) => run(calls.startStaticExport(request)),
    getStaticExport: async (jobId) => run(calls.getStaticExport(jobId)),
    generateBundle: async (jobId) => run(calls.generateBundle(jobId)),
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()])
      wire.close()
    },
  }
}
