import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#errors/app-error.ts'
import { jsonProblem } from '#http/server/strict-json.ts'

/** Reads a body of unannounced length, up to the limit. Null when there is more. */
const readUpTo = async (body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decodeText = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new AppError('invalid_request', 'The body of the request is not UTF-8.')
  }
}

/**
 * Refuses a request body over `maxBytes` with `too_large`, before it is read where its length is announced; and with `invalid_request`
 * one that is not UTF-8, or JSON that not everybody reads in the same way, so that no reader behind it has to be careful.
 * Hono's own limit makes a `Request` out of the server's lightweight one, which fails for a DELETE without a body and for chunks.
 */
export const limitBody = (maxBytes: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const tooLarge = () =>
      new AppError('too_large', `The request is larger than ${maxBytes / 1024} KiB, which is more than Docket accepts.`)
    const { raw } = c.req
    const length = Number(c.req.header('content-length') ?? 0)
    if (length > maxBytes) throw tooLarge()
    // Without either header a request has no body (RFC 9112 §6.3).
    const isChunked = c.req.header('transfer-encoding') !== undefined
    if ((!isChunked && length === 0) || raw.body === null) return next()
    const bytes = await readUpTo(raw.body, maxBytes)
    if (bytes === null) throw tooLarge()
    const body = decodeText(bytes)
    const problem = jsonProblem(body)
    if (problem !== null) throw new AppError('invalid_request', problem)
    c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal })
    return next()
  })
