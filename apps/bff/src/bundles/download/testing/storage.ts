import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { standInServer } from '#testing/stand-in-server.ts'

/** Misbehaviour of the storage; a test may change it at any time. */
export type StorageMood = {
  archive: Buffer
  etag: string | null
  lastModified: string | null
  /** Size that the service announces with a link; null leaves it out. */
  sizeBytes: number | null
  expiresAt: string | null
  /** Cuts the connection after so many bytes of an answer's body, once for each entry. */
  cutAfter: number[]
  /** Status of responses to links made before `kill`. */
  deadStatus: number
  ignoresRange: boolean
  /** Leaves the size of the whole out of the answer to a range. */
  hidesTotal: boolean
  ignoresIfMatch: boolean
  /** Sends the body without a length. */
  chunked: boolean
  /** Content coding that the storage claims. */
  coding: string | null
  /** Sent instead of any other response. */
  answer: { status: number; headers?: Record<string, string> } | null
  /** Target of links; this server by default. */
  linkTo: string | null
  /** Number of requests for a link that the service answers with 409, because it still makes the bundle. */
  notReady: number
  /** Status of the service for requests for a link. */
  grantStatus: number
}

/** First block of a tar archive, enough to be recognised (POSIX ustar). */
export const tarBlock = (): Buffer => {
  const block = Buffer.alloc(512)
  block.write('index.html')
  block.write('ustar\u000000', 257)
  return block
}

// Not a multiple of what is sent or read at once: bytes that are left out or sent twice change an archive.
const piece = gzipSync(Buffer.concat([tarBlock(), randomBytes(999_983)]), { level: 0 })

/** An archive of `size` bytes that begins as a `.tar.gz` with random content, which comes again and again. */
export const randomArchive = (size: number): Buffer => Buffer.alloc(size, piece)

/** A secret in the query of every link. It must never appear anywhere else. */
export const canary = 'CANARY5ignature'

/**
 * The bundle operation of an Admin API (§4.4) and the object storage behind its links, on one loopback port. `mints`
 * counts links, `asked` holds the Range of every request to the storage, and `kill` makes the links made so far answer
 * 403.
 */
export const storageStandIn = async (size = 3_000_000) => {
  const mood: StorageMood = {
    archive: randomArchive(size),
    etag: '"v1"',
    lastModified: null,
    sizeBytes: size,
    expiresAt: null,
    cutAfter: [],
    deadStatus: 403,
    ignoresRange: false,
    hidesTotal: false,
    notReady: 0,
    ignoresIfMatch: false,
    chunked: false,
    coding: null,
    answer: null,
    linkTo: null,
    grantStatus: 200,
  }
  const requests: { range: string | undefined; headers: IncomingMessage['headers'] }[] = []
  const heard: IncomingMessage['headers'][] = []
  let mints = 0
  let oldestAlive = 0
  let aborted = 0
  let accepted = 0

  const grant = (response: ServerResponse) => {
    mints += 1
    if (mood.notReady > 0) {
      mood.notReady -= 1
      return response.writeHead(409).end('{"error":"Bundle generation in progress"}')
    }
    if (mood.grantStatus !== 200) return response.writeHead(mood.grantStatus).end()
    const { sizeBytes, expiresAt } = mood
    const bundleUrl = mood.linkTo ?? `${server.url}/bundle.tar.gz?n=${mints}&sig=${canary}`
    const more = { ...(sizeBytes === null ? {} : { sizeBytes }), ...(expiresAt === null ? {} : { expiresAt }) }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ bundleUrl, ...more }))
  }
  function* pieces(body: Buffer) {
    for (let at = 0; at < body.length; at += 65_536) {
      const piece = body.subarray(at, at + 65_536)
      accepted += piece.length
      yield piece
    }
  }
  const send = (request: IncomingMessage, response: ServerResponse) => {
    const { archive, etag, lastModified } = mood
    const number = Number(new URL(request.url ?? '', 'http://x').searchParams.get('n'))
    requests.push({ range: request.headers.range, headers: request.headers })
    response.once('close', () => (aborted += response.writableFinished ? 0 : 1))
    if (mood.answer !== null) return response.writeHead(mood.answer.status, mood.answer.headers).end('no')
    if (number <= oldestAlive) return response.writeHead(mood.deadStatus).end(`<Error>${canary}</Error>`)
    const match = request.headers['if-match']
    if (!mood.ignoresIfMatch && match !== undefined && match !== etag) return response.writeHead(412).end()
    const names = {
      ...(mood.coding === null ? {} : { 'content-encoding': mood.coding }),
      ...(etag === null ? {} : { etag }),
      ...(lastModified === null ? {} : { 'last-modified': lastModified }),
    }
    const [, first, last] = (!mood.ignoresRange && /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')) || []
    let body = archive
    if (first === undefined || last === undefined) {
      response.writeHead(200, { ...names, ...(mood.chunked ? {} : { 'content-length': archive.length }) })
    } else {
      const from = first === '' ? archive.length - Number(last) : Number(first)
      const to = first === '' || last === '' ? archive.length - 1 : Math.min(Number(last), archive.length - 1)
      if (from > to) return response.writeHead(416, { 'content-range': `bytes */${archive.length}` }).end()
      body = archive.subarray(from, to + 1)
      const total = mood.hidesTotal ? '*' : archive.length
      const range = { 'content-range': `bytes ${from}-${to}/${total}`, 'content-length': body.length }
      response.writeHead(206, { ...names, ...range })
    }
    const cut = mood.cutAfter.shift()
    // Sends piece by piece, as fast as the client reads.
    if (cut === undefined) return Readable.from(pieces(body)).pipe(response)
    response.write(body.subarray(0, cut), () => request.socket.destroy())
  }
  const server = await standInServer((request, response) => {
    heard.push(request.headers)
    void (request.method === 'POST' ? grant(response) : send(request, response))
  })

  return {
    url: server.url,
    mood,
    requests,
    /** Headers of every request, to the service and to the storage. */
    heard,
    mints: () => mints,
    /** Number of responses of the storage that were not read to their end. */
    aborted: () => aborted,
    /** Bytes of archives that Docket has read, or that are still in buffers. */
    accepted: () => accepted,
    kill: () => void (oldestAlive = mints),
    close: server.close,
  }
}
