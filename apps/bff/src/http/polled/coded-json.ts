import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The codings an answer can travel in. */
export type Coding = 'br' | 'gzip' | 'identity'

const compressWith = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // Higher levels save a hundredth and take ten times as long.
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
}

// Below this, headers are most of the answer.
const leastBytes = 1_000

/** The best coding that `Accept-Encoding` allows. */
export const codingFor = (accepted: string | undefined): Coding => {
  const offers = new Map(
    (accepted ?? '').split(',').map((offer) => {
      const [name = '', ...parameters] = offer
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))] as const
    }),
  )
  return offers.get('br') === true ? 'br' : offers.get('gzip') === true ? 'gzip' : 'identity'
}

/** JSON that is compressed at most once for each coding. */
export type CodedJson = {
  /** Without a coding. */
  sizeBytes: number
  /** The coding it really has: short JSON is not compressed. */
  in: (coding: Coding) => Promise<{ bytes: Buffer; coding: Coding }>
}

export const codedJson = (json: string): CodedJson => {
  const plain = Buffer.from(json)
  const compressed = new Map<Coding, Promise<Buffer>>()
  return {
    sizeBytes: plain.length,
    in: async (coding) => {
      if (coding === 'identity' || plain.length < leastBytes) return { bytes: plain, coding: 'identity' }
      const bytes = compressed.get(coding) ?? compressWith[coding](plain)
      compressed.set(coding, bytes)
      return { bytes: await bytes, coding }
    },
  }
}
