/** One way in which a page of somebody else could make a browser ask for a change. */
export type Vector = {
  name: string
  /** Where it is not that of the route. */
  method?: string
  /** Added to the path. */
  query?: string
  headers: (own: { origin: string; host: string; port: number }) => Record<string, string>
  body?: (json: string) => string
}

const json = 'application/json'
const crossSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
const evil = 'https://evil.example'
const asForm = () => 'requestId=x&domain=evil.example&_method=DELETE'

/** What browsers send for pages elsewhere, with the session's cookie, also where the browser of today would leave it out. */
export const vectors: readonly Vector[] = [
  {
    name: 'a form',
    headers: () => ({ origin: evil, ...crossSite, 'content-type': 'application/x-www-form-urlencoded' }),
    body: asForm,
  },
  {
    name: 'a form with files',
    headers: () => ({ origin: evil, ...crossSite, 'content-type': 'multipart/form-data; boundary=x' }),
    body: (text) => `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${text}\r\n--x--\r\n`,
  },
  {
    name: 'a form of plain text that is JSON',
    headers: () => ({ origin: evil, ...crossSite, 'content-type': 'text/plain' }),
    body: (text) => `${text.slice(0, -1)}${text === '{}' ? '' : ','}"x":"="}`,
  },
  {
    name: 'JSON as plain text, from nowhere in particular',
    headers: () => ({ 'content-type': 'text/plain;charset=UTF-8' }),
  },
  {
    name: 'a script elsewhere, with every header it wants',
    headers: () => ({
      origin: evil,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      'x-docket': '1',
      'content-type': json,
    }),
  },
  {
    name: 'another port of this machine',
    headers: ({ port }) => ({
      origin: `http://127.0.0.1:${port + 1}`,
      'sec-fetch-site': 'same-site',
      'x-docket': '1',
      'content-type': json,
    }),
  },
  {
    name: 'a name below that of Docket',
    headers: ({ host }) => ({
      origin: `http://evil.${host}`,
      'sec-fetch-site': 'same-site',
      'x-docket': '1',
      'content-type': json,
    }),
  },
  {
    name: 'the same name over https',
    headers: ({ host }) => ({
      origin: `https://${host}`,
      'sec-fetch-site': 'cross-site',
      'x-docket': '1',
      'content-type': json,
    }),
  },
  {
    name: 'a frame without an origin',
    headers: () => ({ origin: 'null', 'sec-fetch-site': 'cross-site', 'x-docket': '1', 'content-type': json }),
  },
  {
    name: 'nobody who says where they are',
    headers: () => ({ 'x-docket': '1', 'content-type': json }),
  },
  {
    name: 'an address somebody typed',
    headers: () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'x-docket': '1', 'content-type': json }),
  },
  {
    name: 'an own page without the header',
    headers: ({ origin }) => ({ origin, 'sec-fetch-site': 'same-origin', 'content-type': json }),
  },
  {
    name: 'an own page that sends a form',
    headers: ({ origin }) => ({
      origin,
      'sec-fetch-site': 'same-origin',
      'x-docket': '1',
      'content-type': 'application/x-www-form-urlencoded',
    }),
    body: asForm,
  },
  {
    name: 'a reading request',
    method: 'GET',
    query: '?_method=POST&confirmed=true',
    headers: () => ({ ...crossSite, 'sec-fetch-dest': 'image' }),
  },
  {
    name: 'a reading request that says it is another',
    method: 'GET',
    headers: () => ({
      ...crossSite,
      'x-http-method-override': 'DELETE',
      'x-method-override': 'POST',
      'x-http-method': 'POST',
    }),
  },
  {
    name: 'a post that says it is another',
    method: 'POST',
    query: '?_method=DELETE',
    headers: () => ({ origin: evil, ...crossSite, 'x-http-method-override': 'DELETE', 'content-type': 'text/plain' }),
  },
  {
    name: 'a question for permission',
    method: 'OPTIONS',
    headers: () => ({
      origin: evil,
      'sec-fetch-site': 'cross-site',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-docket, content-type',
    }),
  },
  {
    name: 'a web socket',
    method: 'GET',
    headers: () => ({
      origin: evil,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'websocket',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }),
  },
]
