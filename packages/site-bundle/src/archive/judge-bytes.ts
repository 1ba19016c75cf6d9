import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { findMark, readBeginning } from '#text-encoding.ts'
import type { ArchiveEnding } from './archive-file.ts'

/** Number of bytes at the start of a file that are enough to judge it, even inside gzip. */
export const headBytes = 4_096

type OtherBytes = {
  /** Empty for an unknown format. */
  ending: string
  /** A noun, such as `a web page`. */
  name: string
  /** `text`: markup or JSON, such as an error page. */
  kind: 'text' | 'empty' | 'packed_twice' | 'other'
}

/** What the bytes of a file are. `name` is null for an archive that Docket reads. */
export type JudgedBytes = { ending: ArchiveEnding; name: null } | OtherBytes

const mediaTypes = {
  '.tar.gz': 'application/gzip',
  '.tar.zst': 'application/zstd',
  '.tar': 'application/x-tar',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
}

/** Generic for an unknown ending. */
export const findMediaType = (ending: string): string =>
  ending in mediaTypes ? mediaTypes[ending as keyof typeof mediaTypes] : 'application/octet-stream'

const signatures: [at: number, bytes: string, kind: keyof typeof names | '.tar' | '.zip' | 'gzip' | 'zstd'][] = [
  [0, '\x1f\x8b', 'gzip'],
  [0, '\x28\xb5\x2f\xfd', 'zstd'],
  [0, 'PK\x03\x04', '.zip'],
  // An empty ZIP begins with its end.
  [0, 'PK\x05\x06', '.zip'],
  [257, 'ustar', '.tar'],
  [0, '\xfd7zXZ\0', 'xz'],
  [0, 'BZh', 'bzip2'],
  [0, '%PDF-', 'pdf'],
]
const names = {
  xz: 'an .xz archive, which Docket doesn’t read',
  bzip2: 'a .bz2 archive, which Docket doesn’t read',
  pdf: 'a PDF document',
}

const findKind = (head: Buffer) =>
  signatures.find(([at, bytes]) => head.toString('latin1', at, at + bytes.length) === bytes)?.[2] ??
  (isTarHeader(head) ? '.tar' : null)

/** The first block of a tar has a sum of its bytes, also in archives from before POSIX, which have no mark. */
export const isTarHeader = (block: Buffer): boolean => {
  const written = /^ *([0-7]+)[ \0]/.exec(block.toString('latin1', 148, 156))?.[1]
  if (written === undefined || block.length < 512) return block.length === 512 && isZero(block)
  // The sum itself counts as spaces.
  const sum = block.reduce((before, byte, at) => before + (at >= 148 && at < 156 ? 32 : byte), 0)
  return sum === parseInt(written, 8)
}

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** Null for bytes that are no text. */
const nameText = (head: Buffer): string | null => {
  if (readBeginning(head) === null) return null
  const text = new TextDecoder(findMark(head) ?? 'utf-8').decode(head).trimStart()
  if (/^[{[]/.test(text)) return 'JSON'
  if (text.startsWith('<')) return /<(?:!doctype html|html|head|body)\b/i.test(text) ? 'a web page' : 'XML'
  const foreign = text.split('\ufffd').length - 1
  return text.length > 3 * foreign ? 'plain text' : null
}

/** Empty for damaged bytes, and for a zstd frame that unpacks to much more. */
const unpackStart = (head: Buffer, kind: 'gzip' | 'zstd'): Buffer => {
  try {
    return kind === 'gzip'
      ? gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH })
      : zstdDecompressSync(head, { finishFlush: constants.ZSTD_e_flush, maxOutputLength: 1024 ** 2 })
  } catch {
    return Buffer.alloc(0)
  }
}

/** Judges a file by its first bytes, at least `headBytes` unless it is shorter. */
export const judgeBytes = (head: Buffer): JudgedBytes => {
  const other = (name: string, kind: OtherBytes['kind'] = 'other', ending = ''): OtherBytes => ({ ending, name, kind })
  const describeText = (text: string, ending?: string) => other(text, text === 'plain text' ? 'other' : 'text', ending)
  if (head.length === 0) return other('an empty file', 'empty')
  const kind = findKind(head.subarray(0, 512))
  if (kind === '.tar' || kind === '.zip') return { ending: kind, name: null }
  if (kind === 'gzip' || kind === 'zstd') {
    const inside = unpackStart(head, kind).subarray(0, 512)
    const insideKind = findKind(inside)
    const text = insideKind === null ? nameText(inside) : null
    if (text !== null) return describeText(text, kind === 'gzip' ? '.gz' : '')
    // The rest of a zstd frame may be needed for its first bytes, or another frame.
    if (insideKind === '.tar' || (kind === 'zstd' && inside.length < 512))
      return { ending: kind === 'gzip' ? '.tar.gz' : '.tar.zst', name: null }
    if (insideKind === null || insideKind === 'pdf')
      return other(`a ${kind} file without a tar archive in it`, 'other', kind === 'gzip' ? '.gz' : '')
    return other('an archive that was compressed a second time', 'packed_twice')
  }
  if (kind !== null) return other(names[kind])
  const text = nameText(head)
  return text === null ? other('a file of an unknown format') : describeText(text)
}

/** A ZIP’s end with the longest comment. */
export const maxTailBytes = 70_000

/** True for an archive without its end, as far as its last bytes, at most `maxTailBytes`, show it. */
export const isCut = (ending: string, tail: Buffer, sizeBytes: number): boolean => {
  if (ending === '.zip') return !tail.includes('PK\x05\x06')
  if (ending === '.tar') return sizeBytes % 512 !== 0
  // A gzip file ends with the size of its content, and a tar consists of blocks.
  return ending === '.tar.gz' && (tail.length < 4 || tail.readUInt32LE(tail.length - 4) % 512 !== 0)
}
