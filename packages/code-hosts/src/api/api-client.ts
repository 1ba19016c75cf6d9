import { CodeHostError, refused } from '#code-host-error.ts'
import { type Answer, type ServiceLabels, toError } from './refusals.ts'

/** Address of a code host's API. */
export type ApiAddress = {
  /** Base address of the API, without a slash at its end. */
  base: string
  /** Headers of every call, built per call because of the token. */
  headers: () => Record<string, string>
  labels: ServiceLabels
  /** Time limit for one call. Milliseconds; half a minute by default. */
  timeoutMs?: number
}

/** Makes one call. `path` begins with a slash and is encoded. Rejects with a `CodeHostError` unless the answer is a 2xx with JSON. */
export type ApiCall = (
  method: 'GET' | 'POST',
  path: string,
  options: { body?: object; signal?: AbortSignal | undefined },
) => Promise<unknown>

const answerLimitBytes = 4 * 1024 * 1024

/** Calls of one API. Redirects are not followed: the token is for this host only. */
export const apiClient =
  ({ base, headers, labels, timeoutMs = 30_000 }: ApiAddress): ApiCall =>
  async (method, path, { body, signal }) => {
    const host = new URL(base).host
    const unreachable = (why: string) =>
      new CodeHostError('unreachable', `${labels.service} at ${host} cannot be reached: ${why}.`)
    const limit = AbortSignal.timeout(timeoutMs)
    const answer = await ask().catch((error: unknown) => {
      signal?.throwIfAborted()
      if (error instanceof CodeHostError) throw error
      throw unreachable(limit.aborted ? `no answer in ${timeoutMs / 1000} s` : explainFailure(error))
    })
    const failure = toError(labels, host, answer)
    if (failure) throw failure
    return answer.json

    async function ask(): Promise<Answer> {
      const response = await fetch(base + path, {
        method,
        redirect: 'manual',
        headers: {
          ...headers(),
          'user-agent': 'docket-local-admin-api',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      const text = await readText(response)
      if (text === null) throw refused(`${labels.service} at ${host} sent an answer that is too large to be one.`)
      return { status: response.status, headers: response.headers, json: parseJson(text) }
    }
  }

/** Reads a body; null when it is larger than any of these APIs sends. */
const readText = async (response: Response): Promise<string | null> => {
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
  return `the connection failed (${cause?.code ?? 'no reason given'})`
}
