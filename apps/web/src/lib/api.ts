import { ApiError, errorOf } from './api-error.ts'
import { serverTime } from './clock.ts'

const noAnswer = () =>
  new ApiError('no_answer', 'Docket does not answer. Check that it is running and that this machine can reach it.', {})

const call = async (path: string, init: RequestInit): Promise<Response> => {
  let response: Response
  try {
    response = await fetch(path, { cache: 'no-store', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw noAnswer()
  }
  serverTime(response.headers.get('date'))
  if (!response.ok && response.status !== 304) throw await errorOf(response)
  return response
}

const parse = async <T>(response: Response): Promise<T> => {
  if (response.status === 204) return undefined as T
  try {
    return (await response.json()) as T
  } catch {
    throw noAnswer()
  }
}

const rememberedUrls = 60
const remembered = new Map<string, { etag: string; value: unknown }>()

/**
 * Reads `path`. An unchanged answer (304) gives back the very same object as before, so nothing is parsed or rendered again.
 * Rejects with `ApiError`.
 */
export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> => {
  const known = remembered.get(path)
  const headers: Record<string, string> = known ? { 'if-none-match': known.etag } : {}
  const response = await call(path, { headers, ...(signal ? { signal } : {}) })
  if (response.status === 304 && known) return known.value as T
  const value = await parse<T>(response)
  const etag = response.headers.get('etag')
  remembered.delete(path)
  if (etag) remembered.set(path, { etag, value })
  const oldest = remembered.keys().next()
  if (remembered.size > rememberedUrls && !oldest.done) remembered.delete(oldest.value)
  return value
}

const write = async <T>(method: 'POST' | 'DELETE', path: string, body: unknown): Promise<T> =>
  parse<T>(
    await call(path, {
      method,
      headers: { 'content-type': 'application/json', 'x-docket': '1' },
      body: JSON.stringify(body),
    }),
  )

/** Sends a command. Never repeated by itself. Rejects with `ApiError`. */
export const post = <T>(path: string, body: unknown = {}): Promise<T> => write<T>('POST', path, body)

/** Removes what `path` names. Rejects with `ApiError`. */
export const remove = (path: string): Promise<void> => write<void>('DELETE', path, {})
