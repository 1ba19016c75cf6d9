import { ApiError, errorOf } from './api-error.ts'
import { serverTime } from './clock.ts'
import { isDelta, rebuilt } from './delta.ts'
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

const isList = (value: unknown) => typeof value === 'object' && value !== null && 'items' in value

const askedWith = (known: Known | undefined): Record<string, string> => ({
  ...(known && { 'if-none-match': known.etag }),
  ...(known && isList(known.value) && { prefer: 'delta' }),
})

const keep = (path: string, etag: string | null, value: unknown) => {
  remembered.delete(path)
  if (etag) remembered.set(path, { etag, value })
  const oldest = remembered.keys().next()
  if (remembered.size > rememberedUrls && !oldest.done) remembered.delete(oldest.value)
}

const read = async <T>(path: string, known: Known | undefined, signal: AbortSignal | undefined): Promise<T> => {
  const first = known ? undefined : takeFirstRead(path)
  const response = await call(path, { headers: askedWith(known), ...(signal && { signal }) }, first)
  if (response.status === 304 && known) return known.value as T
  const body = await parse<unknown>(response)
  // Without a page to build on nobody was asked for a part of one.
  const value = known && isDelta(body) ? rebuilt(known.value, known.etag, body) : body
  if (value === null && known) return read(path, undefined, signal)
  keep(path, response.headers.get('etag'), value)
  return value as T
}

/**
 * Reads `path`. An unchanged answer (304) gives back the very same object as before, so nothing is parsed or rendered again; of a list
 * only the changed rows travel, and the others are the same objects as before. Rejects with `ApiError`.
 */
export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => read<T>(path, remembered.get(path), signal)

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
