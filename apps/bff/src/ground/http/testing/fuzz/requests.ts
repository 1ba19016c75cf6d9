import { hostileTexts, hostileValues } from './hostile-values.ts'
import type { Draws } from './random.ts'
import { sample, type Described } from './samples.ts'

/** A route with its description in OpenAPI. */
export type Route = { method: string; path: string; described: Described }
/** Parts of a request before they become bytes. */
type Parts = {
  method: string
  path: string
  query: [string, string][]
  headers: [string, string][]
  body: string | null
  version: string
}

type Mutation = (parts: Parts, draws: Draws) => void

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'BREW']
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

const setHeader = (parts: Parts, name: string, value: string) => {
  parts.headers = parts.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  parts.headers.push([name, value])
}

/** A line break in a header would end the headers, and test nothing. */
const oneLine = (text: string) =>
  Buffer.from(text.replaceAll(/[\r\n\0]/g, '?'))
    .toString('latin1')
    .slice(0, 9_000)

const mutateJson = (value: unknown, draws: Draws): unknown => {
  if (Array.isArray(value) && value.length > 0 && !draws.once(3)) {
    const at = draws.below(value.length)
    return value.map((item: unknown, index) => (index === at ? mutateJson(item, draws) : item))
  }
  if (typeof value === 'object' && value !== null && !draws.once(4)) {
    const fields = Object.entries(value)
    if (fields.length > 0) {
      const at = draws.below(fields.length)
      const left = draws.once(4)
      return Object.fromEntries(
        fields.flatMap(([name, field], index) =>
          index === at ? (left ? [] : [[name, mutateJson(field, draws)]]) : [[name, field]],
        ),
      )
    }
  }
  return draws.once(2) ? draws.pick(hostileTexts) : draws.pick(hostileValues)
}

const headerNames = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Cookie',
  'Host',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'Origin',
  'Prefer',
  'Range',
  'Referer',
  'Sec-Fetch-Site',
  'Transfer-Encoding',
  'Upgrade',
  'User-Agent',
  'X-Docket',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  'X-Request-Id',
]
const headerValues = [
  ...hostileTexts,
  'gzip, br, zstd;q=0, *;q=1e9',
  'bytes=0-0,-1,5-2,18446744073709551615-',
  'bytes=-',
  '"a", W/"b", *',
  'Bearer dkt_0000000000000000000000000000000000000000',
  'Basic YWRtaW46YWRtaW4=',
  `${'a=b; '.repeat(1_500)}`,
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'application/json; charset=utf-7',
  'text/plain',
  'multipart/form-data; boundary=',
  'DELETE',
  '/api/status',
  'chunked',
  'evil.example',
  'null',
  'same-site',
]

const mutations: readonly Mutation[] = [
  (parts, draws) => (parts.method = draws.pick(methods)),
  (parts, draws) => {
    const segments = parts.path.split('/')
    segments[draws.below(segments.length)] = draws.once(3)
      ? draws.pick(hostileTexts).replaceAll(/[^\x21-\x7e]/g, '')
      : encode(draws.pick(hostileTexts))
    parts.path = segments.join('/')
  },
  (parts, draws) =>
    (parts.path += draws.pick([
      '/',
      '//',
      '/..',
      '/%2e%2e/status',
      ';a=b',
      '%20',
      '%00',
      '.json',
      '/x',
      '?',
      '\\',
      '%2f',
    ])),
  (parts, draws) =>
    (parts.path = draws.pick([
      parts.path.toUpperCase(),
      `/${parts.path}`,
      `/.${parts.path}`,
      parts.path.replaceAll('/', '%2f'),
      `http://evil.example${parts.path}`,
    ])),
  (parts, draws) =>
    parts.query.push([
      draws.pick([
        'cursor',
        'until',
        'limit',
        'sort',
        'q',
        'group',
        'groups',
        'view',
        'returnTo',
        '__proto__',
        '__proto__[a]',
        'constructor',
        '',
        'a[]',
        'a.b',
      ]),
      draws.pick(hostileTexts),
    ]),
  (parts, draws) =>
    parts.query.push(['cursor', Buffer.from(JSON.stringify(draws.pick(hostileValues))).toString('base64url')]),
  (parts, draws) => {
    const [first] = parts.query
    if (first !== undefined) parts.query.push([first[0], draws.pick(hostileTexts)])
  },
  (parts, draws) => setHeader(parts, draws.pick(headerNames), oneLine(draws.pick(headerValues))),
  (parts, draws) => setHeader(parts, draws.pick(headerNames), oneLine(draws.pick(headerValues))),
  (parts, draws) => parts.headers.push([draws.pick(headerNames), oneLine(draws.pick(headerValues))]),
  (parts, draws) => {
    const at = draws.below(parts.headers.length)
    parts.headers = parts.headers.filter((_, index) => index !== at)
  },
  (parts, draws) => (parts.body = JSON.stringify(mutateJson(JSON.parse(parts.body ?? '{}'), draws))),
  (parts, draws) => (parts.body = JSON.stringify(mutateJson(JSON.parse(parts.body ?? '{}'), draws))),
  (parts, draws) => (parts.body = (parts.body ?? '{}').slice(0, draws.below((parts.body ?? '{}').length + 1))),
  (parts, draws) =>
    (parts.body = draws.pick([
      '',
      '[',
      '{"a":',
      '"\\ud800"',
      '\u00ff\u00fe',
      'a=b&c=d',
      '['.repeat(50_000),
      `{"a":"${'x'.repeat(80_000)}"}`,
      '{"a":1,"a":2}',
      '{"__proto__":{"a":1}}',
      '1e999',
      'null',
      'true',
      '""',
    ])),
  (parts, draws) => (parts.version = draws.pick(['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 '])),
]

const bodyMutations = new Set([11, 12, 13, 14])

/** Bytes of a request; `whole` is false when more should follow. */
export type FuzzedRequest = { bytes: Buffer; route: Route; line: string; whole: boolean }

/** Makes one valid request for a route, then adds up to three faults. `headers` are those of the caller. */
export const fuzzedRequest = (
  route: Route,
  headers: readonly [string, string][],
  draws: Draws,
  known: Readonly<Record<string, readonly unknown[]>>,
): FuzzedRequest => {
  const { parameters = [], requestBody } = route.described
  const parts: Parts = {
    method: route.method,
    path: route.path.replaceAll(/:(\w+)/g, (_, name: string) => encode(String(sample({}, draws, known, name)))),
    query: parameters
      .filter((parameter) => parameter.in === 'query' && draws.once(3))
      .map(({ name, schema }) => [name, String(sample(schema, draws, known, name))]),
    headers: [...headers],
    body: null,
    version: 'HTTP/1.1',
  }
  const schema = requestBody?.content?.['application/json']?.schema
  if (schema !== undefined) parts.body = JSON.stringify(sample(schema, draws, known))
  const changes = route.method === 'GET' ? mutations.filter((_, index) => !bodyMutations.has(index)) : mutations
  // Only the last mutation may produce invalid JSON.
  const chosen = Array.from({ length: Math.max(0, draws.below(5) - 1) }, () => draws.below(changes.length)).toSorted(
    (a, b) => a - b,
  )
  for (const index of chosen.filter((at, place) => chosen.indexOf(at) === place || at < 11))
    changes[index]!(parts, draws)
  const query = parts.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const line = `${parts.method} ${parts.path}${query === '' ? '' : `?${query}`} ${parts.version}`
  const body = Buffer.from(parts.body ?? '')
  // Declares more bytes than it sends.
  const missing = body.length > 0 && draws.once(40) ? 1 + draws.below(50) : 0
  if (body.length > 0) {
    const length = body.length + missing
    parts.headers.push(['Content-Type', 'application/json'], ['Content-Length', String(length)])
  }
  const head = `${line}\r\n${parts.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Connection: close\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body])
  const whole = !draws.once(40)
  return {
    bytes: whole ? bytes : bytes.subarray(0, draws.below(bytes.length)),
    route,
    line: line.slice(0, 200),
    whole: whole && missing === 0,
  }
}
