import { afterAll, beforeEach, expect, test } from 'vitest'
import { securityHeadersOf } from '#http/security-headers.ts'
import { startServer } from '#http/server/server.ts'
import { createLog } from '#log.ts'
import { rawRequest } from '#testing/raw-request.ts'

const publicUrl = new URL('https://docket.example.com')
let seen: string[] = []
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  log: createLog({ level: 'silent', destination: { write: () => {} } }),
  publicUrl,
  fetch: async (request) => {
    seen.push(`${request.method} ${request.url} ${await request.text()}`)
    return new Response('answered')
  },
})
afterAll(() => server.stop(0))
beforeEach(() => {
  seen = []
})

const host = 'Host: localhost\r\n'
const post = (headers: string, body = '0\r\n\r\n') =>
  `POST / HTTP/1.1\r\n${host}${headers}\r\nConnection: close\r\n\r\n${body}`
/** What follows in the same bytes must never be read as a request of its own. */
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
  ['a length without end', post('Content-Length: 99999999999999999999', smuggled), 400],
  ['an encoding of the transfer before chunks', post('Transfer-Encoding: gzip, chunked'), 400],
  ['an encoding of the transfer after chunks', post('Transfer-Encoding: chunked, identity'), 400],
  ['an encoding of the transfer that looks like chunks', post('Transfer-Encoding: xchunked'), 400],
  ['two encodings of the transfer', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'), 400],
  ['an encoding of the transfer with a space', post('Transfer-Encoding : chunked'), 400],
  ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`, 400],
  ['a chunk of less than nothing', post('Transfer-Encoding: chunked', `-1\r\na\r\n${smuggled}`), 400],
  ['a chunk larger than a number', post('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${smuggled}`), 400],
  ['a header on two lines', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
  ['a header with a NUL', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
  ['a header with a lone carriage return', `GET / HTTP/1.1\r\n${host}X: a\rY: b\r\n\r\n`, 400],
  ['lines that end in half', 'GET / HTTP/1.1\nHost: localhost\n\n', 400],
  ['an expectation nobody meets', post('Expect: miracles', ''), 417],
  ['another version', `GET / HTTP/2.0\r\n${host}\r\n`, 505],
  ['no version', 'GET /\r\n\r\n', 505],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['more headers than fit', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ['a longer address than fits', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n`, 431],
] as const)(
  'a request with %s reaches nothing, and its refusal has the headers of every answer',
  async (_, bytes, status) => {
    const answer = await rawRequest(server.port, bytes)
    expect(answer.split(' ', 2)[1]).toBe(String(status))
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    expect(seen).toEqual([])
    for (const [name, value] of Object.entries(securityHeadersOf(publicUrl)))
      expect(answer).toContain(`\r\n${name}: ${value}\r\n`)
    expect(answer).toMatch(/\r\ncache-control: no-store\r\n/i)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  },
)

test.each([
  ['chunks', post('Transfer-Encoding: chunked', '4\r\nbody\r\n0\r\n\r\n'), 'POST http://localhost/ body'],
  ['chunks in capitals', post('Transfer-Encoding: Chunked', '4\r\nbody\r\n0\r\n\r\n'), 'POST http://localhost/ body'],
  ['a length', post('Content-Length: 4', 'body'), 'POST http://localhost/ body'],
  [
    'an upgrade nobody offers',
    `GET / HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    'GET http://localhost/ ',
  ],
] as const)(
  'a request with %s is answered, and over https the browser is told to stay there',
  async (_, bytes, request) => {
    const answer = await rawRequest(server.port, bytes)
    expect(seen).toEqual([request])
    expect(answer).toMatch(
      /^HTTP\/1\.1 200 [^]*\r\nstrict-transport-security: max-age=31536000; includeSubDomains\r\n/i,
    )
  },
)
