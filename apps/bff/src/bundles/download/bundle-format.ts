import { findMediaType, headBytes, judgeBytes, type JudgedBytes } from '@docket/site-bundle/archive/judge-bytes'
import { AppError } from '#ground/errors/app-error.ts'

export type BundleFormat = {
  ending: string
  mediaType: string
  /** Why the bundle is no archive that Docket reads, as a sentence. Null for one. */
  problem: string | null
  /** Nothing of it is sent unless the client asks for it `anyway`. */
  isRefused: boolean
}

export const toFormat = (ending: string): BundleFormat => ({
  ending,
  mediaType: findMediaType(ending),
  problem: null,
  isRefused: false,
})

/** Format of a bundle that was not inspected: a generic one that claims nothing. */
export const unknownFormat: BundleFormat = toFormat('')

// Clients of S3 store `aws-chunked` by mistake; the bytes are not encoded.
const harmlessCodings = new Set(['', 'identity', 'aws-chunked'])
const gzipCodings = new Set(['gzip', 'x-gzip'])

const explainBytes = ({ name, kind }: Exclude<JudgedBytes, { name: null }>, isCoded: boolean): string => {
  if (kind === 'empty') return 'The bundle storage sent an empty file. Export the site again.'
  if (kind === 'packed_twice')
    return isCoded
      ? 'The bundle storage compresses the archive a second time. Turn compression off there, or set BUNDLE_DELIVERY=redirect, because browsers undo it.'
      : 'The bundle is an archive that was compressed a second time, so unpacking it would fail. Ask the operator of the service.'
  if (kind === 'other') return `The bundle storage sent ${name} instead of a .tar.gz, .tar.zst, .tar or .zip.`
  return `The bundle storage sent ${name} instead of an archive, perhaps a sign-in or error page. Check that Docket can read the storage, then try again.`
}

/**
 * Judges a bundle by its first bytes, at least `headBytes` unless it is shorter. Throws `upstream_unexpected` for a content coding other
 * than gzip. A tar with the coding gzip is stored as a `.tar.gz`.
 */
export const judgeBundle = (head: Buffer, contentEncoding: string | null): BundleFormat => {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !harmlessCodings.has(coding))
  if (codings.some((coding) => !gzipCodings.has(coding)))
    throw new AppError(
      'upstream_unexpected',
      'The bundle storage sent the archive in an encoding that Docket didn’t request. Turn compression off there, or set BUNDLE_DELIVERY=redirect, because browsers undo it.',
    )
  const judged = judgeBytes(head)
  const problem = judged.name === null ? null : explainBytes(judged, codings.length > 0)
  return { ...toFormat(judged.ending), problem, isRefused: judged.name !== null && judged.kind !== 'other' }
}

/** Throws `upstream_unexpected` for what Docket refuses, unless the client wants it anyway. */
export const acceptFormat = (format: BundleFormat, anyway: boolean): BundleFormat => {
  if (format.isRefused && !anyway) throw new AppError('upstream_unexpected', format.problem ?? '')
  return format
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
