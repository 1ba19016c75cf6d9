import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildSecurityHeaders } from '#ground/http/security-headers.ts'
import { startServer } from '#ground/http/server/server.ts'
import { createLog } from '#ground/log/log.ts'
import { rawRequest } from '#testing/raw-request.ts'

const publicUrl = new URL('https://docket.example.com')
let received: string[] = []
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  log: createLog({ level: 'silent', destination: { write: () => {} } }),
  publicUrl,
  fetch: async (request) => {
    const text = await request.text()
    received.push(`${request.method} ${request.url} ${text}${request.headers.get('x-smuggled') ?? ''}`)
    return new Response('answered')
  },
})
afterAll(() => server.stop(0))
beforeEach(() => {
  received = []
})

const host = 'Host: localhost\r\n'
const post = (headers: string, body = '0\r\n\r\n') =>
  `POST / HTTP/1.1\r\n${host}${headers}\r\nConnection: close\r\n\r\n${body}`
const chunked = (body: string) => post('Transfer-Encoding: chunked', body)
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`
/** The following bytes must never be read as another request. */
const smuggled = `GET /smuggled HTTP/1.1\r\n${host}Connection: close\r\n\r\n`

test.each([
  ['two names of the host', `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 400],
  ['two equal names of the host', `GET / HTTP/1.1\r\n${host}hOST: localhost\r\n\r\n`, 400],
  ['a second name behind many headers', `GET / HTTP/1.1\r\n${host}${'a:\r\n'.repeat(2_100)}Host: b\r\n\r\n`, 400],
  ['no name of the host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['no name of the host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 400],
  ['a name that does not end', 'GET / HTTP/1.1\r\nHost : localhost\r\n\r\n', 400],
  ['a whole address', `GET http://localhost/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['a whole address of another name', `GET https://evil.example/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['no path', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400],
  ['a path without a slash', `GET index.html HTTP/1.1\r\n${host}\r\n`, 400],
  ['a name and a port for its path', get('localhost:80'), 400],
  ['a path that begins with a backslash', get('\\\\evil.example'), 400],
  ['a path in two words', get('/a b'), 400],
  ['tabs between its words', 'GET\t/\tHTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['a space before its method', ` ${get('/')}`, 400],
  ['a path with a NUL', `GET /a\0b HTTP/1.1\r\n${host}\r\n`, 400],
  ['a path with bytes that are no ASCII', `GET /\u00c0\u00af HTTP/1.1\r\n${host}\r\n`, 400],
  ['a path with a line end', `GET /a\nX: y HTTP/1.1\r\n${host}\r\n`, 505],
  ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ['TRACE', `TRACE / HTTP/1.1\r\n${host}\r\n`, 405],
  ['a method of no route', `PROPFIND / HTTP/1.1\r\n${host}\r\n`, 405],
  ['a method nobody knows', `BREW / HTTP/1.1\r\n${host}\r\n`, 400],
  ['a method in small letters', `get / HTTP/1.1\r\n${host}\r\n`, 400],
  ['a length and chunks', post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`), 400],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${smuggled}`), 400],
  ['two lengths', post('Content-Length: 0\r\nContent-Length: 4', smuggled), 400],
  ['a list of lengths', post('Content-Length: 0, 4', smuggled), 400],
  ['a length with a sign', post('Content-Length: +4', smuggled), 400],
  ['a length in hex', post('Content-Length: 0x4', smuggled), 400],
  ['two equal lengths', post('Content-Length: 0\r\nContent-Length: 0', smuggled), 400],
  ['an empty length', post('Content-Length:', smuggled), 400],
  ['a length in two words', post('Content-Length: 0 4', smuggled), 400],
  ['a length below zero', post('Content-Length: -1', smuggled), 400],
  ['a length without end', post('Content-Length: 99999999999999999999', smuggled), 400],
  ['an encoding of the transfer before chunks', post('Transfer-Encoding: gzip, chunked'), 400],
  ['an encoding of the transfer after chunks', post('Transfer-Encoding: chunked, identity'), 400],
  ['an encoding of the transfer that looks like chunks', post('Transfer-Encoding: xchunked'), 400],
  ['two encodings of the transfer', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'), 400],
  ['an encoding of the transfer with a space', post('Transfer-Encoding : chunked'), 400],
  ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'), 400],
  ['an empty encoding of the transfer', post('Transfer-Encoding:', ''), 400],
  ['an encoding of the transfer behind a comma', post('Transfer-Encoding: ,chunked'), 400],
  ['an encoding of the transfer behind a control character', post('Transfer-Encoding: \v chunked'), 400],
  ['a quoted encoding of the transfer', post('Transfer-Encoding: "chunked"'), 400],
  ['an encoding of the transfer with a parameter', post('Transfer-Encoding: chunked;q=1'), 400],
  ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`, 400],
  ['a chunk of less than nothing', chunked(`-1\r\na\r\n${smuggled}`), 400],
  ['a chunk larger than a number', chunked(`fffffffffffffffff\r\n${smuggled}`), 400],
  ['a chunk of a size with a prefix', chunked(`0x1\r\na\r\n0\r\n\r\n${smuggled}`), 400],
  ['a chunk of a size with a sign', chunked(`+1\r\na\r\n0\r\n\r\n${smuggled}`), 400],
  ['a chunk of a size behind a space', chunked(` 1\r\na\r\n0\r\n\r\n${smuggled}`), 400],
  ['a chunk of a size before a space', chunked(`1 \r\na\r\n0\r\n\r\n${smuggled}`), 400],
  ['a chunk without a size', chunked(`\r\n0\r\n\r\n${smuggled}`), 400],
  ['a chunk longer than its size', chunked(`1\r\nab\r\n0\r\n\r\n${smuggled}`), 400],
  ['chunks whose lines end in half', chunked(`1\na\n0\n\n${smuggled}`), 400],
  ['an extension of a chunk whose line ends in half', chunked(`1;x\ny\r\na\r\n0\r\n\r\n${smuggled}`), 400],
  ['a trailer with a space in its name', chunked(`0\r\nX Y: a\r\n\r\n${smuggled}`), 400],
  ['a header without a colon', get('/', 'X\r\n'), 400],
  ['a header without a name', get('/', ': a\r\n'), 400],
  ['a header whose name is no ASCII', get('/', 'X\u00e9: a\r\n'), 400],
  ['a first header that goes on from nothing', 'GET / HTTP/1.1\r\n Host: localhost\r\n\r\n', 400],
  ['a header on two lines', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
  ['a header with a NUL', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
  ['a header with a lone carriage return', `GET / HTTP/1.1\r\n${host}X: a\rY: b\r\n\r\n`, 400],
  ['lines that end in half', 'GET / HTTP/1.1\nHost: localhost\n\n', 400],
  ['an expectation nobody meets', post('Expect: miracles', ''), 417],
  ['another version', `GET / HTTP/2.0\r\n${host}\r\n`, 505],
  ['a version to come', `GET / HTTP/1.2\r\n${host}\r\n`, 400],
  ['a version in small letters', `GET / http/1.1\r\n${host}\r\n`, 400],
  ['no version', 'GET /\r\n\r\n', 505],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['more headers than fit', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ['a longer address than fits', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n`, 431],
] as const)('a request with %s reaches no route, and its error has all security headers', async (_, bytes, status) => {
  const answer = await rawRequest(server.port, bytes)
  expect(answer.split(' ', 2)[1]).toBe(String(status))
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
  expect(received).toEqual([])
  for (const [name, value] of Object.entries(buildSecurityHeaders(publicUrl)))
    expect(answer).toContain(`\r\n${name}: ${value}\r\n`)
  expect(answer).toMatch(/\r\ncache-control: no-store\r\n/i)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
})

test.each([
  ['chunks', post('Transfer-Encoding: chunked', '4\r\nbody\r\n0\r\n\r\n'), 'POST http://localhost/ body'],
  ['chunks in capitals', post('Transfer-Encoding: Chunked', '4\r\nbody\r\n0\r\n\r\n'), 'POST http://localhost/ body'],
  ['a length', post('Content-Length: 4', 'body'), 'POST http://localhost/ body'],
  ['an extension of a chunk', chunked('4;x=y\r\nbody\r\n0\r\n\r\n'), 'POST http://localhost/ body'],
  ['a header behind its chunks', chunked('0\r\nX-Smuggled: yes\r\n\r\n'), 'POST http://localhost/ '],
  ['a body that nobody reads', get('/', `Content-Length: ${smuggled.length}\r\n`) + smuggled, 'GET http://localhost/ '],
  ['a path that begins as a name', get('//evil.example/'), 'GET http://localhost//evil.example/ '],
  ['other names in other headers', get('/', 'X-Forwarded-Host: evil.example\r\n'), 'GET http://localhost/ '],
  ['an upgrade to HTTP/2', get('/', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'), 'GET http://localhost/ '],
  [
    'an upgrade nobody offers',
    `GET / HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    'GET http://localhost/ ',
  ],
] as const)(
  'a request with %s is answered, and over https the response has an HSTS header',
  async (_, bytes, request) => {
    const answer = await rawRequest(server.port, bytes)
    expect(received).toEqual([request])
    expect(answer).toMatch(
      /^HTTP\/1\.1 200 [^]*\r\nstrict-transport-security: max-age=31536000; includeSubDomains\r\n/i,
    )
  },
)
