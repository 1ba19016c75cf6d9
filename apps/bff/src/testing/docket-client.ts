type Headers = Record<string, string>

/** HTTP client of a running Docket. Follows no redirect and retries nothing. */
export type DocketClient = ReturnType<typeof docketClient>

/** A client that sends the same headers as Docket's own page, with the session of `cookie`. */
export const docketClient = (url: string, cookie?: string) => {
  const { origin } = new URL(url)
  const session: Headers = cookie === undefined ? {} : { cookie }
  const changing = { origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  /** Sends `body` as JSON, or unchanged when it is bytes. */
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
    /** Like `send`, but returns JSON. Throws an error with the response when Docket refuses. */
    ask: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await send(method, path, body)
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    },
  }
}

/** A request that waits this long for the database gets a 503. Milliseconds; the server's own limit is 2,500. */
export const databaseDeadlineMs = 2_400

/**
 * True when Docket gave up waiting for its database, so that nothing was acknowledged. On a loaded machine, the
 * database can miss the deadline of a request, so proofs about other things continue.
 */
export const isDatabaseLate = (status: number, body: string): boolean =>
  status === 503 && body.includes('"code":"database_unavailable"')
