import { STATUS_CODES } from 'node:http'

type Headers = Readonly<Record<string, string>>

/** An answer to what is no valid request, or one that no route may see. `headers` are those of every answer. */
export const plainAnswer = (status: number, headers: Headers): Response =>
  new Response(`${STATUS_CODES[status]}\n`, {
    status,
    headers: { ...headers, 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' },
  })

/** The same as bytes, for a connection on which nothing can be answered in order any more. */
export const rawAnswer = (status: number, headers: Headers): string => {
  const all = { ...headers, 'Cache-Control': 'no-store', 'Content-Length': '0', Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}
