import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** A raw response. `status` is 0 without an HTTP response. `text` is the whole response, decompressed if needed. */
export type Answer = { status: number; head: string; body: string; text: string; late: boolean }

const limitMs = 40_000

const unchunked = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (end < 0 || !(size > 0)) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}

const decodeBody = (head: string, bytes: Buffer): Buffer => {
  const whole = /^transfer-encoding: chunked\r?$/im.test(head) ? unchunked(bytes) : bytes
  const encoding = /^content-encoding: (\w+)/im.exec(head)?.[1]
  try {
    if (encoding === 'br') return brotliDecompressSync(whole)
    return encoding === 'gzip' ? gunzipSync(whole) : whole
  } catch {
    return whole
  }
}

/**
 * Sends these bytes on a separate connection and waits for its end. After an incomplete request, the client closes its
 * side.
 */
export const exchange = (port: number, bytes: Buffer, { whole }: { whole: boolean }): Promise<Answer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let late = false
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes)
      if (!whole) socket.end()
    })
    socket.setTimeout(limitMs, () => {
      late = true
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('end', () => socket.end())
    // Keeps the bytes received before the error.
    socket.on('error', () => {})
    socket.on('close', () => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      const head = all.subarray(0, end < 0 ? all.length : end).toString('latin1')
      const body = decodeBody(head, end < 0 ? Buffer.alloc(0) : all.subarray(end + 4)).toString()
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0),
        head,
        body,
        text: `${all.toString('latin1')}\n${body}`,
        late,
      })
    })
  })
