import { connect, type Socket } from 'node:net'
import { onEnd } from '#bench/harness/cleanup.ts'

/** A kind of slow client, and the number of them. Each sends `bytes` at once, and `more` now and then. */
export type SlowKind = { name: string; count: number; bytes: (cookie: string) => string; more: string; reads: boolean }

const request = (method: string, path: string, cookie: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n${more}`

/** Together more than Docket's connection limit. */
export const slowKinds: readonly SlowKind[] = [
  { name: 'say nothing', count: 1_500, bytes: () => '', more: '', reads: true },
  {
    name: 'send headers by the letter',
    count: 200,
    bytes: (cookie) => request('GET', '/api/status', cookie),
    more: 'x',
    reads: true,
  },
  {
    name: 'send a body by the letter',
    count: 200,
    bytes: (cookie) =>
      request(
        'POST',
        '/api/agent-jobs',
        cookie,
        'Sec-Fetch-Site: same-origin\r\nX-Docket: 1\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
      ),
    more: ' ',
    reads: true,
  },
  {
    name: 'send a chunk by the letter',
    count: 200,
    bytes: (cookie) =>
      request(
        'POST',
        '/api/agent-jobs',
        cookie,
        'Sec-Fetch-Site: same-origin\r\nX-Docket: 1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nea60\r\n{',
      ),
    more: ' ',
    reads: true,
  },
  {
    name: 'read nothing',
    count: 200,
    bytes: (cookie) => `${request('GET', '/api/static-exports', cookie)}\r\n`.repeat(12),
    more: '',
    reads: false,
  },
  {
    name: 'keep what they do not use',
    count: 200,
    bytes: (cookie) => `${request('GET', '/livez', cookie)}\r\n`,
    more: '',
    reads: true,
  },
]

/** Keeps the clients of a kind connected, each replaced when it is cut, and sends a little every now and then. */
export const keepSlow = (port: number, kind: SlowKind, cookie: string) => {
  const open = new Set<Socket>()
  let [ended, cut] = [false, 0]
  const add = () => {
    if (ended) return
    const socket = connect(port, '127.0.0.1', () => socket.write(kind.bytes(cookie)))
    open.add(socket)
    socket.on('error', () => {})
    if (kind.reads) socket.resume()
    else socket.pause()
    socket.on('close', () => {
      open.delete(socket)
      cut += 1
      // Spread out, so that this process stays responsive.
      setTimeout(add, 250).unref()
    })
  }
  for (let number = 0; number < kind.count; number += 1) add()
  const drip = setInterval(() => {
    if (kind.more !== '') for (const socket of open) if (socket.writable) socket.write(kind.more)
  }, 500)
  const stop = onEnd(() => {
    ended = true
    clearInterval(drip)
    for (const socket of open) socket.destroy()
  })
  return { stop, open: () => open.size, cut: () => cut }
}
