import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'

/** True for a request whose body is a file, which its route reads piece by piece. */
export const isUpload = (method: string, path: string): boolean =>
  method === 'POST' && path === '/api/static-exports/upload'

const maxNesting = 32

/** Names that change an object's prototype when fields are copied one by one. */
const ofPrototypes: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Finds a problem in JSON that parsers read differently: a repeated name in one object, a prototype's name, or deep nesting. Returns a
 * message for the caller. Null for other texts, including invalid JSON.
 */
export const findJsonProblem = (text: string): string | null => {
  // In valid JSON every string is closed, so a scan for tokens suffices.
  if (!isJson(text)) return null
  /** Names found so far in each enclosing object; null for an array. */
  const around: (Set<string> | null)[] = []
  let isName = false
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const names = around.at(-1) ?? null
    if (token === '{' || token === '[') {
      if (around.length === maxNesting) return `Lists and objects may be nested ${maxNesting} deep.`
      around.push(token === '{' ? new Set() : null)
      isName = token === '{'
    } else if (token === '}' || token === ']') {
      around.pop()
      isName = false
    } else if (token === ',') isName = names !== null
    else if (token === ':') isName = false
    else if (isName && names !== null) {
      const name = String(JSON.parse(token))
      if (ofPrototypes.has(name)) return `"${name}" is no name of a field.`
      if (names.has(name)) return 'A field is there twice, so it is not clear which one counts.'
      names.add(name)
    }
  }
  return null
}

/** Reads a body without `Content-Length`, up to the limit. Null for a longer one. */
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
 * Refuses a request body over `maxBytes` with `too_large`, before reading it when `Content-Length` says so. Refuses text that is not UTF-8,
 * and JSON that parsers read differently, with `invalid_request`. Replaces Hono's own limit, which fails for a DELETE without a body and
 * for chunked bodies on this server. Leaves the bodies of uploads (`isUpload`) to their routes.
 */
export const limitBody = (maxBytes: number, isUpload: (method: string, path: string) => boolean = () => false) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (isUpload(c.req.method, c.req.path)) return next()
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
    const problem = findJsonProblem(body)
    if (problem !== null) throw new AppError('invalid_request', problem)
    c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal })
    return next()
  })
