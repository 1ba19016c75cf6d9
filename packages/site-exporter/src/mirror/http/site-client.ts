import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeText as decodeDeclared, findMark } from '@docket/site-bundle/text-encoding'
import { allowPublicAnd } from '@docket/outbound/addresses'
import { readTheirNow } from '@docket/outbound/clock'
import { ProxyFailed } from '@docket/outbound/proxy'
import { ForbiddenAddress, type OutboundAgent, createOutboundAgent } from '@docket/outbound/outbound'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'
import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Complete, decoded response of a site. */
export type Answer = {
  /** Final address, after redirects. */
  url: string
  redirectedFrom: string[]
  status: number
  /** Lower-cased media type without parameters; `''` if the header is missing. */
  type: string
  charset: string | null
  body: Buffer
}

/** Reason for a missing response. `gone`: no response at all. `elsewhere`: redirect to this other origin. `isLimit`: our own rule forbids it. */
export type NoAnswer = { problem: string; gone?: boolean; elsewhere?: string; isLimit?: true }

export const isAnswer = (result: Answer | NoAnswer): result is Answer => 'body' in result

/** Decodes a text as browsers do: by byte order mark, header or declaration. Never throws. */
export const decodeText = ({ body, charset }: Pick<Answer, 'body' | 'charset'>): string => {
  if (charset === null || findMark(body) !== null) return decodeDeclared(body, true)
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return decodeDeclared(body, true)
  }
}

export const userAgent = 'docket-mirror'

type Order = {
  origin: string
  privateNetworks: readonly string[]
  lookup?: LookupFunction | undefined
  limits: MirrorLimits
  signal: AbortSignal
}

/** Creates a client that sends no cookies and no referrers. */
export const createSiteClient = ({ origin, privateNetworks, lookup, limits, signal }: Order) => {
  const agent = createOutboundAgent({
    allows: allowPublicAnd({ networks: privateNetworks }),
    connectMs: 10_000,
    maxHeaderSize: 32 * 1024,
    ...(lookup && { lookup }),
  })
  let pauseMs = 0
  let freeAt = 0
  const waitForPause = async () => {
    const now = Date.now()
    freeAt = Math.max(now, freeAt + pauseMs)
    if (freeAt > now) await sleep(freeAt - now, undefined, { signal })
  }

  const getWithRetries = async (url: URL, maxBytes: number): Promise<Once> => {
    for (let tries = 0; ; tries += 1) {
      await waitForPause()
      const once = await requestOnce(agent, url, maxBytes, limits.answerMs, signal)
      signal.throwIfAborted()
      if (!once.isPassing || tries >= limits.retries) return once
      const waitMs = Math.min(once.retryAfterMs ?? limits.retryMs * 2 ** tries, limits.maxWaitMs)
      // A site that limits its readers counts all requests together.
      if (once.retryAfterMs === null) await sleep(waitMs, undefined, { signal })
      else freeAt = Math.max(freeAt, Date.now() + waitMs - pauseMs)
    }
  }

  return {
    /** Reads an address, following redirects within the site. Rejects only when aborted. */
    get: async (address: string, maxBytes: number) => {
      const redirectedFrom: string[] = []
      let url = new URL(address)
      for (;;) {
        const once = await getWithRetries(url, maxBytes)
        if (once.result !== null) return 'body' in once.result ? { ...once.result, redirectedFrom } : once.result
        redirectedFrom.push(url.href)
        if (!URL.canParse(once.location, url.href)) return { problem: 'it redirects to something that is no address' }
        const next = new URL(once.location, url.href)
        next.hash = ''
        if (next.username !== '' || next.password !== '')
          return { problem: 'it redirects to an address with a password' }
        if (next.origin !== origin)
          return { problem: `it redirects to another site, ${next.origin}`, elsewhere: next.href }
        if (redirectedFrom.includes(next.href) || redirectedFrom.length > limits.redirects)
          return { problem: 'it redirects in a circle, or too often' }
        url = next
      }
    },
    slowDown: (ms: number) => {
      pauseMs = ms
    },
    close: () => agent.destroy(),
  }
}

export type SiteClient = ReturnType<typeof createSiteClient>

/** `result` is null for a redirect to `location`. */
type Once = {
  result: Answer | NoAnswer | null
  location: string
  isPassing: boolean
  retryAfterMs: number | null
}

const requestOnce = async (
  agent: OutboundAgent,
  url: URL,
  maxBytes: number,
  answerMs: number,
  stop: AbortSignal,
): Promise<Once> => {
  const signal = AbortSignal.any([AbortSignal.timeout(answerMs), stop])
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        'user-agent': `Mozilla/5.0 (compatible; ${userAgent}/1.0)`,
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'accept-encoding': 'gzip, br',
      },
      signal,
    })
    const header = (name: string) => [headers[name]].flat()[0] ?? ''
    const isPassing = [429, 502, 503, 504].includes(statusCode)
    const retryAfterMs = parseRetryAfter(header('retry-after'), readTheirNow(header) ?? Date.now())
    if (isPassing || (statusCode >= 300 && statusCode < 400)) {
      // Closes the connection without reading the unused, possibly endless, body.
      body.on('error', () => undefined).destroy()
      if (isPassing) {
        const problem = `it answers ${statusCode}`
        return { result: { problem, ...(statusCode === 429 && { gone: true }) }, location: '', isPassing, retryAfterMs }
      }
      const location = header('location')
      return { result: location ? null : { problem: `it answers ${statusCode}` }, location, isPassing, retryAfterMs }
    }
    const encoding = [headers['content-encoding']].flat().join(', ')
    const content = await readBody(body, encoding, maxBytes, signal)
    const [type = '', ...parameters] = header('content-type').split(';')
    const charset = parameters.map((parameter) => /^\s*charset=["']?([\w:.-]+)/i.exec(parameter)?.[1]).find(Boolean)
    const result: Answer = {
      url: url.href,
      redirectedFrom: [],
      status: statusCode,
      type: type.trim().toLowerCase(),
      charset: charset ?? null,
      body: content,
    }
    return { result, location: '', isPassing: false, retryAfterMs: null }
  } catch (error) {
    if (stop.aborted) throw error
    return { ...toFailure(error, maxBytes, answerMs), location: '', retryAfterMs: null }
  }
}

const toFailure = (error: unknown, maxBytes: number, answerMs: number): { result: NoAnswer; isPassing: boolean } => {
  const { name = '', message = '', code: rawCode = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const code = String(rawCode)
  const fail = (problem: string, gone?: true) => ({ result: { problem, ...(gone && { gone }) }, isPassing: false })
  if (code === tooLarge) {
    const problem = `it has more than ${Math.round(maxBytes / 1024)} kB`
    return { result: { problem, isLimit: true }, isPassing: false }
  }
  if (error instanceof ForbiddenAddress) return fail(message, true)
  if (error instanceof ProxyFailed) return { ...fail(message, true), isPassing: true }
  if (name === 'TimeoutError') return fail(`it did not come within ${answerMs / 1_000} s`)
  if (/^(Z_|ERR_BR|ERR__ERROR|ENCODING|UND_ERR_HEADERS_OVERFLOW|HPE_)/.test(code) || name === 'HTTPParserError')
    return fail('its answer cannot be read')
  const reason = /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : ''
  return { ...fail(`the connection failed${reason}`, true), isPassing: true }
}

/** Parses seconds or a date into milliseconds. */
const parseRetryAfter = (header: string, nowMs: number): number | null => {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

const tooLarge = 'TOO_LARGE'

/** Maximum chunks before they are merged, because small chunks take many times their size. */
const maxPieces = 1_024

/** Reads and decodes a body. Rejects with `TOO_LARGE` once it exceeds `maxBytes`. */
const readBody = async (body: Readable, encoding: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> => {
  let pieces: Buffer[] = []
  let bytes = 0
  const sink = new Writable({
    write: (piece: Buffer, _, done) => {
      bytes += piece.length
      if (bytes > maxBytes) return done(Object.assign(new Error('too large'), { code: tooLarge }))
      pieces.push(piece)
      if (pieces.length > maxPieces) pieces = [Buffer.concat(pieces)]
      done()
    },
  })
  const decoder = createDecompressor(encoding)
  await (decoder ? pipeline(body, decoder, sink, { signal }) : pipeline(body, sink, { signal }))
  return Buffer.concat(pieces)
}

const createDecompressor = (encoding: string) => {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw Object.assign(new Error('an encoding that was not asked for'), { code: 'ENCODING' })
  }
}
