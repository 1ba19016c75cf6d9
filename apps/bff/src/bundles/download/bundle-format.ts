import { constants, createGunzip } from 'node:zlib'
import { AppError } from '#ground/errors/app-error.ts'

/** Number of bytes at the start of a bundle that are enough to detect its format, even inside gzip. */
export const headBytes = 4_096

export type BundleFormat = { ending: string; mediaType: string }

/** Format of a bundle that was not inspected, or is no known archive: a generic one that claims nothing. */
export const unknownFormat: BundleFormat = { ending: '', mediaType: 'application/octet-stream' }

const formats = {
  tarGz: { ending: '.tar.gz', mediaType: 'application/gzip' },
  gzip: { ending: '.gz', mediaType: 'application/gzip' },
  zip: { ending: '.zip', mediaType: 'application/zip' },
  zstd: { ending: '.tar.zst', mediaType: 'application/zstd' },
  tar: { ending: '.tar', mediaType: 'application/x-tar' },
} satisfies Record<string, BundleFormat>

export const findFormat = (ending: string): BundleFormat =>
  Object.values(formats).find((format) => format.ending === ending) ?? unknownFormat

type Kind = 'gzip' | 'zip' | 'zstd' | 'tar'

const signatures: { kind: Kind; at: number; bytes: Buffer }[] = [
  { kind: 'gzip', at: 0, bytes: Buffer.from([0x1f, 0x8b, 8]) },
  { kind: 'zip', at: 0, bytes: Buffer.from('PK\u0003\u0004') },
  { kind: 'zip', at: 0, bytes: Buffer.from('PK\u0005\u0006') },
  { kind: 'zstd', at: 0, bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
  { kind: 'tar', at: 257, bytes: Buffer.from('ustar') },
]

const findKind = (head: Buffer): Kind | null =>
  signatures.find(({ at, bytes }) => head.subarray(at, at + bytes.length).equals(bytes))?.kind ?? null

// Text has none of these.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** Names the text format of a head: HTML, XML or JSON. Null for any other. */
const nameText = (head: Buffer): string | null => {
  const text = new TextDecoder().decode(head).trimStart()
  if (binary.test(text)) return null
  if (/^[{[]/.test(text)) return 'JSON'
  if (!text.startsWith('<')) return null
  return /<(?:!doctype html|html|head|body)\b/i.test(text) ? 'a web page' : 'XML'
}

/** Decompresses the first 512 bytes. Returns fewer when `head` ends before that, and none when it is damaged. */
const inflateStart = (head: Buffer): Promise<Buffer> =>
  new Promise((resolve) => {
    const gunzip = createGunzip({ chunkSize: 512, finishFlush: constants.Z_SYNC_FLUSH })
    const finish = (start: Buffer) => {
      resolve(start)
      gunzip.destroy()
    }
    gunzip.on('data', finish)
    gunzip.on('end', () => finish(Buffer.alloc(0)))
    gunzip.on('error', () => finish(Buffer.alloc(0)))
    gunzip.end(head)
  })

const refuseFormat = (message: string): never => {
  throw new AppError('upstream_unexpected', message)
}

const refuseText = (head: Buffer): void => {
  const name = nameText(head)
  if (name !== null)
    refuseFormat(
      `The bundle storage sent ${name} instead of an archive, perhaps a sign-in or error page. Check that Docket can read the storage, then try again.`,
    )
}

/** Judges the content of a gzip file by its start. A storage may have compressed an archive a second time, or an error page. */
const judgeGzip = (inside: Buffer, isCoded: boolean): BundleFormat => {
  refuseText(inside)
  const kind = findKind(inside)
  if (kind === 'tar') return formats.tarGz
  if (kind === null) return formats.gzip
  return refuseFormat(
    isCoded
      ? 'The bundle storage compresses the archive a second time. Turn compression off there, or set BUNDLE_DELIVERY=redirect, because browsers undo it.'
      : 'The bundle is an archive that was compressed a second time, so unpacking it would fail. Ask the operator of the service.',
  )
}

// Clients of S3 store `aws-chunked` by mistake; the bytes are not encoded.
const harmlessCodings = new Set(['', 'identity', 'aws-chunked'])
const gzipCodings = new Set(['gzip', 'x-gzip'])

/**
 * Judges a bundle by its first bytes, at least `headBytes` unless it is shorter. Throws `upstream_unexpected` for HTML, XML, JSON, nothing,
 * an archive that was compressed twice, and a content coding other than gzip. A tar with the coding gzip is stored as a `.tar.gz`.
 */
export const judgeBundle = async (head: Buffer, contentEncoding: string | null): Promise<BundleFormat> => {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !harmlessCodings.has(coding))
  if (head.length === 0) refuseFormat('The bundle storage sent an empty file. Export the site again.')
  if (codings.some((coding) => !gzipCodings.has(coding)))
    refuseFormat(
      'The bundle storage sent the archive in an encoding that Docket didn’t request. Turn compression off there, or set BUNDLE_DELIVERY=redirect, because browsers undo it.',
    )
  refuseText(head)
  const kind = findKind(head)
  if (kind === 'gzip') return judgeGzip(await inflateStart(head), codings.length > 0)
  return kind === null ? unknownFormat : formats[kind]
}

/** Returns the first `headBytes`, or all there are, and the pieces that contain them, which the caller sends before the rest. */
export const readHead = async (
  pieces: AsyncIterator<Uint8Array, void>,
): Promise<{ head: Buffer; read: Uint8Array[] }> => {
  const read: Uint8Array[] = []
  let size = 0
  while (size < headBytes) {
    const { done, value } = await pieces.next()
    if (done === true) break
    read.push(value)
    size += value.length
  }
  return { head: Buffer.concat(read, Math.min(size, headBytes)), read }
}
