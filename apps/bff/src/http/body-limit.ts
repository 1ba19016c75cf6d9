import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#http/app-error.ts'

/** Reads a body of unannounced length, up to the limit. Null when there is more. */
const readUpTo = async (body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Refuses a request body over `maxBytes` with `too_large`, before it is read where its length is announced.
 * Hono's own limit makes a `Request` out of the server's lightweight one, which fails for a DELETE without a body and for chunks.
 */
export const limitBody = (maxBytes: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const tooLarge = () =>
      new AppError('too_large', `The request is larger than ${maxBytes / 1024} KiB, which is more than Docket accepts.`)
    const { raw } = c.req
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge()
    // Without either header a request has no body (RFC 9112 §6.3).
    if (c.req.header('transfer-encoding') !== undefined && raw.body !== null) {
      const body = await readUpTo(raw.body, maxBytes)
      if (body === null) throw tooLarge()
      c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal })
    }
    await next()
  })
