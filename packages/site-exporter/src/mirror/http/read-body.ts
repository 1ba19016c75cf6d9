import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Error code for an oversized body. */
export const tooLarge = 'TOO_LARGE'

/** Merges small pieces, which cost many times their size. */
const maxPieces = 1_024

/** Reads and decodes a body. Rejects with `TOO_LARGE` once it exceeds `maxBytes`. */
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
