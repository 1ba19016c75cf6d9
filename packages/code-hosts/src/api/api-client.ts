import { Agent, fetch } from 'undici'
import type { z } from 'zod'
import { CodeHostError, type Pause, refused, withRetries } from '#code-host-error.ts'
import { type Answer, type ServiceLabels, toError } from './refusals.ts'

const answerLimitBytes = 4 * 1024 * 1024
/** Longest time of one call. Milliseconds. */
const timeoutMs = 30_000

/** The access of calls to a service. */
export type AccessToken = {
  /** The token to use now. Rejects with a `CodeHostError`. */
  read(signal?: AbortSignal): Promise<string>
  /** Drops a token that the service refused. True when `read` gets another one. */
  renew(refused: string): boolean
}

/** Connections to a service. */
export type Connect = Agent

/** Opens connections that trust the certificates in `ca` (PEM), or those of Node when it is null. */
export const openConnections = (ca: string | null): Connect =>
  new Agent({ allowH2: false, ...(ca !== null && { connect: { ca } }) })

/**
 * Calls of one API. Paths begin with a slash and are encoded. Rejects with a `CodeHostError` unless the answer is a 2xx with JSON that fits
 * the schema. Redirects are not followed: the token is for this host only.
 */
export const apiClient = (api: {
  /** Base address of the API, without a slash at its end. */
  base: string
  /** Headers of every call. */
  headers: (token: string) => Record<string, string>
  token: AccessToken
  connect: Connect
  labels: ServiceLabels
  pause: Pause
}) => {
  const { base, headers, token, connect, labels, pause } = api
  const { host } = new URL(base)

  const ask = async (key: string, path: string, signal: AbortSignal, body?: object): Promise<Answer> => {
    const response = await fetch(base + path, {
      redirect: 'manual',
      headers: {
        ...headers(key),
        'user-agent': 'docket-local-admin-api',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal,
      dispatcher: connect,
    })
    const text = await readText(response)
    if (text === null) throw refused(`${labels.service} at ${host} sent an answer that is too large to be one.`)
    return { status: response.status, headers: response.headers, json: parseJson(text) }
  }

  const call = async (path: string, signal?: AbortSignal, body?: object): Promise<unknown> => {
    const askWith = async (key: string) => {
      const limit = AbortSignal.timeout(timeoutMs)
      const either = signal ? AbortSignal.any([signal, limit]) : limit
      return ask(key, path, either, body).catch((error: unknown) => {
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
    const failure = toError(labels, host, answer)
    if (failure) throw failure
    return answer.json
  }

  const parse = <T>(schema: z.ZodType<T>, answer: unknown): T => {
    const read = schema.safeParse(answer)
    if (read.success) return read.data
    const field = read.error.issues[0]?.path.join('.') || 'the whole of it'
    throw refused(`The answer of ${labels.service} is not as its API documents it (${field}).`)
  }

  return {
    /** Reads, again after a failure that passes. */
    get: async <T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal) =>
      parse(schema, await withRetries(() => call(path, signal), pause, signal)),
    /** Writes, once. */
    post: async <T>(path: string, schema: z.ZodType<T>, body: object, signal?: AbortSignal) =>
      parse(schema, await call(path, signal, body)),
  }
}

/** Reads a body; null when it is larger than any of these APIs sends. */
const readText = async (response: Awaited<ReturnType<typeof fetch>>): Promise<string | null> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > answerLimitBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Cause of a failed connection; `fetch` itself does not tell it. */
const explainFailure = (error: unknown): string => {
  const cause = (error as { cause?: NodeJS.ErrnoException }).cause
  if (cause?.code === 'ENOTFOUND' || cause?.code === 'EAI_AGAIN') return 'its name is not known here'
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there'
  if (/CERT|SELF_SIGNED|TLS|UNABLE_TO/.test(cause?.code ?? '')) return 'this machine does not trust its certificate'
  if (cause?.message === 'bad port') return 'web clients do not connect to this port. Use another one'
  return `the connection failed (${cause?.code ?? cause?.message ?? 'no reason given'})`
}
