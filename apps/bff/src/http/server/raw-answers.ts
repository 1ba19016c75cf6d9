import { STATUS_CODES } from 'node:http'

type Headers = Readonly<Record<string, string>>

/** Response to an invalid request, or to one that no route may see. `headers` are added to every response. */
export const plainAnswer = (status: number, headers: Headers): Response =>
  new Response(`${STATUS_CODES[status]}\n`, {
    status,
    headers: { ...headers, 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' },
  })

/** The same as raw text, for a connection that can no longer answer in order. */
export const rawAnswer = (status: number, headers: Headers): string => {
  const all = { ...headers, 'Cache-Control': 'no-store', 'Content-Length': '0', Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}
