import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'
import { inTurnPerKey } from '@docket/once'

/** `too_large` counts decompressed bytes. */
export type AnswerBody =
  | { json: unknown }
  | { problem: 'encoding' | 'too_large' | 'empty' | 'html' }
  | { problem: 'not_json'; text: string }

// A megabyte of brackets becomes a hundred megabytes of objects; normal responses have some dozens.
const maxParts = 10_000
const structural = new Set(Buffer.from('[{,'))
const [quote, escape] = Buffer.from('"\\')

/** Text in quotes is not counted, however many commas a report or a log has. */
const hasTooManyParts = (bytes: Uint8Array): boolean => {
  let parts = 0
  let quoted = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === quote) quoted = !quoted
    else if (quoted) at += byte === escape ? 1 : 0
    else if (structural.has(byte) && (parts += 1) > maxParts) return true
  }
  return false
}

// Each chunk takes a turn of the event loop. The default of 16 KiB would split a decompression bomb into more than sixty.
const pieceBytes = 131_072

const gunzipAsync = promisify(gunzip)
const inflateAsync = promisify(inflate)
const inflateRawAsync = promisify(inflateRaw)
const brotliAsync = promisify(brotliDecompress)
const zstdAsync = promisify(zstdDecompress)

const findDecoder = (encoding: string, body: Buffer) => {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipAsync
  if (encoding === 'br') return brotliAsync
  if (encoding === 'zstd') return zstdAsync
  // "deflate" means a zlib wrapper; some servers send the raw stream. The low nibble of a zlib header is 8.
  if (encoding === 'deflate') return ((body[0] ?? 0) & 0x0f) === 8 ? inflateAsync : inflateRawAsync
  return null
}

// A brotli window alone takes 16 MiB, so bodies are decompressed one at a time. That also leaves threads of the pool for password hashes.
const inTurn = inTurnPerKey()

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

// The types of TypeScript lack the third argument of a reviver.
const parse = JSON.parse as (text: string, revive: typeof keepDigits) => unknown
const ids = new Set(['id', 'jobId', 'job_id', 'existingJobId'])

/** An id is a text, whatever type it came as: a number beyond 2^53 would lose digits. */
const keepDigits = (name: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && ids.has(name) ? source : value

/** Decompresses and parses a body: a proxy may compress it unasked. Stops at `maxBytes`, against decompression bombs. */
export const readAnswerBody = async (
  body: Buffer,
  headers: Record<string, string>,
  maxBytes: number,
): Promise<AnswerBody> => {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  let plain = body
  if (encoding !== '' && encoding !== 'identity' && body.length > 0) {
    const decode = findDecoder(encoding, body)
    if (decode === null) return { problem: 'encoding' }
    try {
      plain = await inTurn('inflate', () => decode(body, { maxOutputLength: maxBytes, chunkSize: pieceBytes }))
    } catch (error) {
      return { problem: isTooLarge(error) ? 'too_large' : 'encoding' }
    }
  }
  if (hasTooManyParts(plain)) return { problem: 'too_large' }
  const text = new TextDecoder().decode(plain).trim()
  if (text === '') return { problem: 'empty' }
  try {
    return { json: parse(text, keepDigits) }
  } catch {
    return text.startsWith('<') ? { problem: 'html' } : { problem: 'not_json', text }
  }
}

const yearMs = 366 * 86_400_000
const httpDate = /^[A-Z][a-z]{2,8}, \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

/** Wait from `Retry-After` (seconds or HTTP date) in milliseconds, from a second to a year. Null when missing, invalid or in the past. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | null => {
  const value = header?.trim() ?? ''
  const within = (ms: number) => (ms <= 0 ? null : Math.min(Math.max(ms, 1000), yearMs))
  if (/^\d+(\.\d+)?$/.test(value)) return within(Math.ceil(Number(value) * 1000))
  if (!httpDate.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : within(atMs - nowMs)
}
