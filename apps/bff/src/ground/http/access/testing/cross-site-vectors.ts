/** The address of Docket's own pages. */
type Own = { origin: string; host: string; port: number }

/** One way in which a foreign page could make a browser request a change. */
type Vector = {
  name: string
  /** Method, when it differs from the route's. */
  method?: string
  /** Added to the path. */
  query?: string
  headers: (own: Own) => Record<string, string>
  body?: (json: string) => string
}

/** True when a response refuses the request because it does not come from Docket's own page. */
export const isCrossSiteRefusal = (status: number, body: string): boolean =>
  status === 405 || (status === 403 && body.includes('its own pages')) || (status === 400 && body.includes('as JSON'))

/** Foreign origins that resemble Docket's own, as a browser without `Sec-Fetch-Site` could send them. */
const lookalikes: Readonly<Record<string, (own: Own) => string>> = {
  'a name in capitals': () => 'HTTPS://EVIL.EXAMPLE',
  'its own name with the dot of the root': ({ port }) => `http://127.0.0.1.:${port}`,
  'its own name in another spelling': ({ port }) => `http://2130706433:${port}`,
  'another name of this machine': ({ port }) => `http://localhost:${port}`,
  'its own name without the port': () => 'http://127.0.0.1',
  'its own name as a user': ({ host }) => `http://${host}@evil.example`,
  'a user at its own name': ({ host }) => `http://evil.example@${host}`,
  'a name that begins as its own': ({ host }) => `http://${host}.evil.example`,
  'its own name with a path': ({ origin }) => `${origin}/`,
  'its own name and another': ({ origin }) => `${origin}, ${evil}`,
  'another name and its own': ({ origin }) => `${evil} ${origin}`,
  'a file': () => 'file://',
  'an empty name': () => '',
  'a missing value': () => 'undefined',
}

const json = 'application/json'
const crossSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
const evil = 'https://evil.example'
const asForm = () => 'requestId=x&domain=evil.example&_method=DELETE'

const fetchSites = ['cross-site', 'same-site', 'none', '', 'Same-Origin', 'same-origin, cross-site']
const wrongMarks = ['', '0', 'yes', '1, 1', '01']
const wrongTypes = [
  'text/plain',
  'text/json',
  'application/jsonp',
  'text/plain; application/json',
  `${json}, text/plain`,
]

/**
 * Requests that browsers send for foreign pages, with the session's cookie, even where current browsers would omit it.
 */
export const crossSiteVectors: readonly Vector[] = [
  ...Object.entries(lookalikes).map(([name, origin]): Vector => ({
    name: `an origin that is ${name}`,
    headers: (own) => ({ origin: origin(own), 'x-docket': '1', 'content-type': json }),
  })),
  ...fetchSites.map((site): Vector => ({
    name: `an own origin whose browser says "${site}"`,
    headers: ({ origin }) => ({ origin, 'sec-fetch-site': site, 'x-docket': '1', 'content-type': json }),
  })),
  ...wrongMarks.map((mark): Vector => ({
    name: `an own page with the header "${mark}"`,
    headers: ({ origin }) => ({ origin, 'sec-fetch-site': 'same-origin', 'x-docket': mark, 'content-type': json }),
  })),
  ...wrongTypes.map((type): Vector => ({
    name: `an own page that sends ${type}`,
    headers: ({ origin }) => ({ origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': type }),
  })),
  {
    name: 'an own page that does not say what it sends',
    headers: ({ origin }) => ({ origin, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }),
  },
  {
    name: 'a foreign origin whose browser is lied about',
    headers: () => ({ origin: evil, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': json }),
  },
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
