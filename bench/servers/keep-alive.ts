import { connect } from 'node:net'

/** One answer, as far as the bench looks at it. */
export type Answer = { status: number; head: string; bytes: number }

/**
 * A connection that is kept and answers one request at a time: the least a client can do, so that it measures the
 * server. Understands a length, chunks, and answers without a body.
 */
export const keepAlive = async (host: string, port: number) => {
  const socket = connect({ host, port, noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null
  let buffer: Buffer = Buffer.alloc(0)
  let head = ''
  let missing: number | null = null
  let length = 0

  const finish = () => {
    const answer = { status: Number(head.slice(9, 12)), head, bytes: length }
    head = ''
    missing = null
    buffer = Buffer.alloc(0)
    const { resolve } = settle!
    settle = null
    resolve(answer)
  }
  const readHead = (chunk: Buffer) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    const end = buffer.indexOf('\r\n\r\n')
    if (end < 0) return
    head = buffer.toString('latin1', 0, end + 2)
    const rest = buffer.subarray(end + 4)
    const size = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
    const empty = head.startsWith('HTTP/1.1 304') || head.startsWith('HTTP/1.1 204')
    missing = empty ? 0 : size === undefined ? null : Number(size)
    length = rest.length
    buffer = rest
    proceed(rest)
  }
  const proceed = (latest: Buffer) => {
    if (missing === null ? latest.subarray(-5).equals(Buffer.from('0\r\n\r\n')) : length >= missing) finish()
  }
  socket.on('data', (chunk: Buffer) => {
    if (head === '') return readHead(chunk)
    length += chunk.length
    proceed(chunk)
  })
  const lost = () => settle?.reject(new Error('The server closed the connection.'))
  socket.on('error', lost).on('close', lost)
  return {
    ask: (request: string): Promise<Answer> =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** A GET as it goes over the wire. A `Host` among the headers replaces that of the URL. */
export const getRequest = (url: URL, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    ...Object.entries({ Host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
