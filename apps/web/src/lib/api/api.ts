import type { Method, RoutePath, RouteRequest, RouteResponse } from '@docket/api-types/routes'
import { printQuery } from '#lib/address/query-string.ts'
import { syncClock } from '#lib/time/clock.ts'
import { ApiError, readError } from './api-error.ts'
import { noteConnectivity } from './connectivity.ts'
import { takePreloaded } from './preloaded.ts'

const noAnswerError = () =>
  new ApiError('no_answer', 'Docket isn’t responding. Check that it’s running and that this computer can reach it.', {})

const listeners = new Set<() => void>()

/** Calls `listener` on every 401, wrong passwords included. Returns an unsubscribe function. */
export const onNotSignedIn = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const noteRefusal = (error: ApiError): void => {
  if (error.code === 'not_signed_in') for (const listener of listeners) listener()
}

const fetchResponse = async (path: string, init: RequestInit): Promise<Response> => {
  let response: Response
  try {
    const early = init.method === undefined ? await takePreloaded(path) : undefined
    response = early ?? (await fetch(path, { cache: 'no-store', ...init }))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw noAnswerError()
  }
  syncClock(response.headers.get('date'))
  if (!response.ok && response.status !== 304) {
    const error = await readError(response)
    noteRefusal(error)
    throw error
  }
  return response
}

const callServer = (path: string, init: RequestInit): Promise<Response> => noteConnectivity(fetchResponse(path, init))

const parseResponse = async <T>(response: Response): Promise<T> => {
  if (response.status === 204) return undefined as T
  try {
    return (await response.json()) as T
  } catch {
    throw noAnswerError()
  }
}

const maxResponses = 200
type CachedResponse = { etag: string; value: unknown }
const cachedResponses = new Map<string, CachedResponse>()

export const clearResponses = (): void => cachedResponses.clear()

const rememberResponse = (path: string, etag: string | null, value: unknown) => {
  cachedResponses.delete(path)
  if (etag) cachedResponses.set(path, { etag, value })
  const oldest = cachedResponses.keys().next()
  if (cachedResponses.size > maxResponses && !oldest.done) cachedResponses.delete(oldest.value)
}

const readCached = async <T>(path: string, signal: AbortSignal | undefined): Promise<T> => {
  const cached = cachedResponses.get(path)
  const headers: HeadersInit = cached ? { 'if-none-match': cached.etag } : {}
  const response = await callServer(path, { headers, ...(signal && { signal }) })
  if (response.status === 304 && cached) return cached.value as T
  const value = await parseResponse<T>(response)
  rememberResponse(path, response.headers.get('etag'), value)
  return value
}

type Input = { params?: Record<string, string>; query?: object; body?: unknown; signal?: AbortSignal }
/** The last argument of a call, which may be left out when a route needs nothing. */
type Arguments<T> = Partial<T> extends T ? [request?: T] : [request: T]
type Call<M extends Method, Path extends RoutePath<M> = RoutePath<M>, More = object> = <P extends Path>(
  path: P,
  ...request: Arguments<RouteRequest<M, P> & More>
) => Promise<RouteResponse<M, P>>
type ReadPath = RoutePath<'GET', { response: object }>
type LinkPath = Exclude<RoutePath<'GET'>, ReadPath>

const printAddress = (path: string, { params, query = {} }: Input = {}) =>
  path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params![name]!)) + printQuery(query)

export const linkTo = printAddress as <P extends LinkPath>(
  path: P,
  ...request: Arguments<RouteRequest<'GET', P>>
) => string

/** Reads `path`. A 304 returns the same object as before, so nothing is parsed or rendered again. Rejects with `ApiError`. */
export const get = ((path: string, request?: Input) =>
  readCached(printAddress(path, request), request?.signal)) as Call<
  'GET',
  ReadPath,
  { signal?: AbortSignal | undefined }
>

const createCommand = (method: Method) => async (path: string, request?: Input) =>
  parseResponse(
    await callServer(printAddress(path, request), {
      method,
      headers: { 'content-type': 'application/json', 'x-docket': '1' },
      body: JSON.stringify(request?.body ?? {}),
    }),
  )

/** Sends a command. Never repeated by itself. Rejects with `ApiError`. */
export const post = createCommand('POST') as Call<'POST'>

/** Changes parts of what `path` names. Never repeated by itself. Rejects with `ApiError`. */
export const patch = createCommand('PATCH') as Call<'PATCH'>

/** Removes what `path` names. Never repeated by itself. Rejects with `ApiError`. */
export const remove = createCommand('DELETE') as Call<'DELETE'>
