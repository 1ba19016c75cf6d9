type Headers = Record<string, string>

/** HTTP client of a proof for a whole Docket. Follows no redirect and retries nothing. */
export type DocketClient = {
  url: string
  get: (path: string, headers?: Headers) => Promise<Response>
  /** `body` is sent as JSON. */
  post: (path: string, body?: unknown, headers?: Headers) => Promise<Response>
  delete: (path: string, headers?: Headers) => Promise<Response>
}

/** A request that waited as long for the database gets 503. Milliseconds; the server's own limit is 2,500. */
export const databaseDeadlineMs = 2_400

/**
 * Whether Docket gave up waiting for its database, which acknowledges nothing. A database on a loaded machine misses
 * the deadline of a request, so a proof that is not about the database goes on.
 */
export const isDatabaseLate = (status: number, body: string): boolean =>
  status === 503 && body.includes('"code":"database_unavailable"')

/** A client that sends what Docket's own page sends, with the session of `cookie`. */
export const docketClient = (url: string, cookie?: string): DocketClient => {
  const origin = new URL(url).origin
  const session: Headers = cookie === undefined ? {} : { cookie }
  const changing = { origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  const send = (method: string, path: string, headers: Headers, body?: unknown) =>
    fetch(origin + path, {
      method,
      headers: { ...session, ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const json = (body: unknown): Headers => (body === undefined ? {} : { 'content-type': 'application/json' })
  return {
    url: origin,
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body, headers = {}) => send('POST', path, { ...changing, ...json(body), ...headers }, body),
    delete: (path, headers = {}) => send('DELETE', path, { ...changing, ...headers }),
  }
}
