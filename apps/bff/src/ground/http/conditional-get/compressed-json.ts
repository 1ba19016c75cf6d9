import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Coding = 'br' | 'gzip' | 'identity'

const compressWith = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // Higher levels save one percent and take ten times as long.
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
}

// Below this size, compression saves less than the headers weigh. Bytes.
const minBytes = 1_000

/** True when `Accept-Encoding` names this coding, without a quality of 0. */
export const acceptsCoding = (accepted: string | undefined, coding: string): boolean =>
  (accepted ?? '')
    .toLowerCase()
    .split(',')
    .some((offer) => offer.trim().split(/\s*;/)[0] === coding && !/;\s*q=0(?:\.0*)?$/.test(offer.trim()))

/** The best coding that `Accept-Encoding` allows: brotli, then gzip. */
export const negotiateCoding = (accepted?: string): Coding =>
  acceptsCoding(accepted, 'br') ? 'br' : acceptsCoding(accepted, 'gzip') ? 'gzip' : 'identity'

export const createCompressedJson = (json: string) => {
  const plain = Buffer.from(json)
  const compressed = new Map<Coding, Promise<Buffer>>()
  return {
    sizeBytes: plain.length,
    /** Bytes in this coding, or uncompressed when the JSON is short. `coding` is the one that was used. */
    encode: async (coding: Coding): Promise<{ bytes: Buffer; coding: Coding }> => {
      if (coding === 'identity' || plain.length < minBytes) return { bytes: plain, coding: 'identity' }
      const bytes = compressed.get(coding) ?? compressWith[coding](plain)
      compressed.set(coding, bytes)
      return { bytes: await bytes, coding }
    },
  }
}

/** JSON that is compressed at most once per coding. */
export type CompressedJson = ReturnType<typeof createCompressedJson>
