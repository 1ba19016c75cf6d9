type Headers = Record<string, string>

/** HTTP client of a running Docket. Follows no redirect and retries nothing. */
export type DocketClient = ReturnType<typeof docketClient>

/** A client that sends what Docket's own page sends, with the session of `cookie`. */
export const docketClient = (url: string, cookie?: string) => {
  const { origin } = new URL(url)
  const session: Headers = cookie === undefined ? {} : { cookie }
  const changing = { origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  /** `body` is sent as JSON, bytes as they are. */
  const send = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Response> => {
    const isBytes = Buffer.isBuffer(body)
    const type = { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }
    return fetch(origin + path, {
      method,
      headers: { ...session, ...(method !== 'GET' && changing), ...(body !== undefined && type), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
  }
  return {
    url: origin,
    send,
    get: (path: string, headers?: Headers) => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Headers) => send('POST', path, body, headers),
    delete: (path: string, headers?: Headers) => send('DELETE', path, undefined, headers),
    /** As `send`, for JSON. Throws with the answer when Docket refuses. */
    ask: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await send(method, path, body)
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    },
  }
}

/** A request that waited as long for the database gets 503. Milliseconds; the server's own limit is 2,500. */
export const databaseDeadlineMs = 2_400

/**
 * Whether Docket gave up waiting for its database, which acknowledges nothing. A database on a loaded machine misses
 * the deadline of a request, so a proof that is not about the database goes on.
 */
export const isDatabaseLate = (status: number, body: string): boolean =>
  status === 503 && body.includes('"code":"database_unavailable"')
