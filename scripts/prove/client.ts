type Headers = Record<string, string>

/** What a proof uses to talk to a whole Docket. Redirects are answers; nothing is repeated. */
export type DocketClient = {
  url: string
  get: (path: string, headers?: Headers) => Promise<Response>
  /** `body` is sent as JSON. */
  post: (path: string, body?: unknown, headers?: Headers) => Promise<Response>
  delete: (path: string, headers?: Headers) => Promise<Response>
}

/** A client that sends what Docket's own page sends. The one place where proofs sign in. */
export const docketClient = async (url: string): Promise<DocketClient> => {
  const origin = new URL(url).origin
  const changing = { origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  const send = (method: string, path: string, headers: Headers, body?: unknown) =>
    fetch(origin + path, {
      method,
      headers,
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
