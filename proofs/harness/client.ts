import { setTimeout as delay } from 'node:timers/promises'

type Headers = Record<string, string>

/** HTTP client of a proof for a whole Docket. Follows no redirect and retries nothing. */
export type DocketClient = {
  url: string
  get: (path: string, headers?: Headers) => Promise<Response>
  /** `body` is sent as JSON. */
  post: (path: string, body?: unknown, headers?: Headers) => Promise<Response>
  delete: (path: string, headers?: Headers) => Promise<Response>
}

/**
 * Creates the first admin with the link that a Docket prints at its first start, and answers with the cookie of their
 * session. `printed` is everything it wrote so far. The one place where proofs sign in.
 */
export const signIn = async (url: string, readOutput: () => string): Promise<string> => {
  for (let tries = 0; tries < 500 && !readOutput().includes('/setup#'); tries += 1) await delay(20)
  const token = /\/setup#(\S+)/.exec(readOutput())?.[1]
  const response = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { origin: url, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0]
  if (cookie === undefined) throw new Error(`No first account: ${response.status} ${await response.text()}`)
  return cookie
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
