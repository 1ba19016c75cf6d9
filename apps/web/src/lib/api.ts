import { ApiError, errorOf } from './api-error.ts'
import { serverTime } from './clock.ts'
import { takeFirstRead } from './first-reads.ts'

const noAnswer = () =>
  new ApiError('no_answer', 'Docket does not answer. Check that it is running and that this machine can reach it.', {})

const listeners = new Set<() => void>()

/** Calls `listener` whenever an answer says that nobody is signed in; a mistyped password is told in the same way. Returns the way out. */
export const onNotSignedIn = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const call = async (path: string, init: RequestInit, first?: Promise<Response>): Promise<Response> => {
  let response: Response
  try {
    response = await (first ?? fetch(path, { cache: 'no-store', ...init }))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw noAnswer()
  }
  serverTime(response.headers.get('date'))
  if (!response.ok && response.status !== 304) {
    const error = await errorOf(response)
    if (error.code === 'not_signed_in') for (const listener of listeners) listener()
    throw error
  }
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

const rememberedUrls = 200
type Known = { etag: string; value: unknown }
const remembered = new Map<string, Known>()

/** Forgets every answer. */
export const forgetAnswers = (): void => remembered.clear()

const keep = (path: string, etag: string | null, value: unknown) => {
  remembered.delete(path)
  if (etag) remembered.set(path, { etag, value })
  const oldest = remembered.keys().next()
  if (remembered.size > rememberedUrls && !oldest.done) remembered.delete(oldest.value)
}

/** Reads `path`. A 304 returns the same object as before, so nothing is parsed or rendered again. Rejects with `ApiError`. */
export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> => {
  const known = remembered.get(path)
  const first = known ? undefined : takeFirstRead(path)
  const headers: HeadersInit = known ? { 'if-none-match': known.etag } : {}
  const response = await call(path, { headers, ...(signal && { signal }) }, first)
  if (response.status === 304 && known) return known.value as T
  const value = await parse<T>(response)
  keep(path, response.headers.get('etag'), value)
  return value
}

const write = async <T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown): Promise<T> =>
  parse<T>(
    await call(path, {
      method,
      headers: { 'content-type': 'application/json', 'x-docket': '1' },
      body: JSON.stringify(body),
    }),
  )

/** Sends a command. Never repeated by itself. Rejects with `ApiError`. */
export const post = <T>(path: string, body: unknown = {}): Promise<T> => write<T>('POST', path, body)

/** Changes parts of what `path` names. Never repeated by itself. Rejects with `ApiError`. */
export const patch = <T>(path: string, body: unknown): Promise<T> => write<T>('PATCH', path, body)

/** Removes what `path` names. Rejects with `ApiError`. */
export const remove = (path: string): Promise<void> => write<void>('DELETE', path, {})
