import type { Bounds } from '#bounds.ts'

export type ArchiveFile = {
  /** Normalised path: relative, with `/`; never leads out of the archive. A second file of the same path replaces the first. */
  path: string
  sizeBytes: number
  /** Fails unless there are exactly `sizeBytes`. Can be read once, until `onFile` resolves, and is skipped if it is not read. */
  content: AsyncIterable<Uint8Array>
  archiveBytes: number
}

export type ArchiveEnding = '.tar.gz' | '.tar.zst' | '.tar' | '.zip'

/** What Docket changed. `path` may be that of a file that was left out. `target` is the encoding of a decoded name. */
export type FileRemark = {
  rule: `${'repeated' | 'system'}-file` | `${'unusable' | 'decoded' | 'undecoded'}-name` | 'dangling-link'
  path: string
  target?: string
}

export type ArchiveContent = {
  ending: ArchiveEnding
  /** Copies included. */
  contentBytes: number
  /** Path of each file of the site, and that of the file that `onFile` got with the same content. They differ for a link. */
  sources: ReadonlyMap<string, string>
  /** Parts of paths that are not UTF-8. Such bytes are in them as in addresses: `gr%F6%DFe.html`. */
  foreignParts: ReadonlySet<string>
  remarks: FileRemark[]
}

export type OnFile = (file: ArchiveFile) => Promise<void>

/** Why an archive is refused: `too_large` has too many bytes or files; `refused` is unsafe, damaged or beyond another bound. */
type RefusalReason = 'not_an_archive' | 'too_large' | 'refused'

/** An archive that Docket does not read. The message is a sentence for the reader; names from the archive in it are untrusted. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, sentence: string) {
    super(sentence)
    this.reason = reason
  }
}

export const throwRefusal = (sentence: string): never => {
  throw new ArchiveRefused('refused', sentence)
}

/** Small sites compress well, so the ratio is checked only beyond this many bytes of content. */
const ratioFromBytes = 16 * 1024 ** 2

export const throwFileRefusal = (name: string, sizeBytes: number, bounds: Bounds): void => {
  if (sizeBytes > bounds.fileBytes)
    throw new ArchiveRefused('too_large', `${quoteName(name)} is larger than ${formatNumber(bounds.fileBytes)}.`)
}

export const throwTotalRefusal = (contentBytes: number, archiveBytes: number, bounds: Bounds): void => {
  if (contentBytes > bounds.contentBytes)
    throw new ArchiveRefused(
      'too_large',
      `The content of the archive is larger than ${formatNumber(bounds.contentBytes)}.`,
    )
  if (contentBytes > ratioFromBytes && contentBytes > archiveBytes * bounds.ratio)
    throw new ArchiveRefused(
      'refused',
      `The content of the archive is more than ${bounds.ratio} times as large as the archive.`,
    )
}

const formatNumber = (bytes: number) => {
  const [unit, divisor] = bytes >= 1024 ** 3 ? ['GB', 1024 ** 3] : ['MB', 1024 ** 2]
  return `${(bytes / divisor).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}

// oxlint-disable-next-line no-control-regex -- Names with control characters are refused.
export const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

export const showControls = (name: string): string => name.replaceAll(new RegExp(controlCharacter, 'g'), '�')

/** Shortens a name from the archive and removes invisible characters. */
export const quoteName = (name: string): string =>
  `“${showControls(name.slice(0, 120))}${name.length > 120 ? '…' : ''}”`
