import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Code of the error with which a body ends that is larger than it may be. */
export const tooLarge = 'TOO_LARGE'

/** A body in crumbs costs many times its size; honest ones come in a few pieces. */
const maxPieces = 1_024

/** Reads a body to its end and decodes it. Rejects with the code `TOO_LARGE` as soon as the decoded bytes are more than `maxBytes`. */
export const readBody = async (
  body: Readable,
  encoding: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> => {
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
  const decoder = createDecoder(encoding)
  await (decoder ? pipeline(body, decoder, sink, { signal }) : pipeline(body, sink, { signal }))
  return Buffer.concat(pieces)
}

const createDecoder = (encoding: string) => {
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
