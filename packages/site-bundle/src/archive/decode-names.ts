import { getFileNameLowLevel } from 'yauzl'
import { controlCharacter } from './archive-file.ts'
import { decodeAddress } from '#locator/addresses.ts'

/** Asian ones first: their pairs of bytes rarely match by chance. */
const encodings =
  'gb18030 shift_jis big5 euc-kr euc-jp windows-1252 cp437 windows-1250 windows-1251 koi8-r ibm866 macintosh'.split(' ')
const encodingsByLanguage: Readonly<Record<string, string>> = { zh: 'gb18030', ja: 'shift_jis', ko: 'euc-kr' }

/** Null for bytes that are no name in this encoding. */
const decode = (bytes: Buffer, encoding: string): string | null => {
  try {
    const isOldPc = encoding === 'cp437'
    const name = isOldPc
      ? getFileNameLowLevel(0, bytes, [], true)
      : new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return controlCharacter.test(name) || /[\\/]/.test(name) ? null : name
  } catch {
    return null
  }
}

const toBytes = (part: string) =>
  Buffer.concat(
    part
      .split(/(%[89A-F][\dA-F])/)
      .map((piece, at) => (at % 2 === 1 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece))),
  )

const readEvidence = (pages: readonly Buffer[]) => {
  const linked = new Set<string>()
  const hints: string[] = []
  for (const page of pages) {
    const start = page.toString('latin1', 0, 4_096)
    const charset = /<meta\s[^>]*charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
    const language = /<html\s[^>]*lang\s*=\s*["']?([a-z]{2})/i.exec(start)?.[1]?.toLowerCase() ?? ''
    const isKnown = charset !== 'utf-8' && decode(Buffer.from('a'), charset) !== null
    if (isKnown) hints.push(charset)
    const byLanguage = encodingsByLanguage[language]
    if (byLanguage !== undefined) hints.push(byLanguage)
    const text = new TextDecoder(isKnown ? charset : 'utf-8').decode(page)
    for (const [, address = ''] of text.matchAll(/\s(?:href|src)\s*=\s*["']?([^"'>\s?#]*)/gi))
      for (const part of address.split('/')) linked.add(decodeAddress(part) ?? part)
  }
  return { linked, hints }
}

export type DecodedPart = { name: string; encoding: string }

/**
 * Decodes parts of paths that are not UTF-8: by the links of the pages, else by the pages' encoding and language, else as the ZIP format
 * says. Parts whose encoding stays unknown are missing.
 */
export const decodeParts = (
  parts: ReadonlySet<string>,
  { pages, isZip }: { pages: readonly Buffer[]; isZip: boolean },
): Map<string, DecodedPart> => {
  const { linked, hints } = readEvidence(pages)
  // Pages may link to the bytes themselves.
  const unlinked = [...parts].filter((part) => !linked.has(part)).map((part) => ({ part, bytes: toBytes(part) }))
  const scored = encodings
    .map((encoding) => ({
      encoding,
      hits: unlinked.filter(({ bytes }) => linked.has(decode(bytes, encoding) ?? '')).length,
    }))
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits)
    .map(({ encoding }) => encoding)
  const usable = [...scored, ...hints, ...(isZip ? ['cp437'] : [])]
  const decoded = new Map<string, DecodedPart>()
  for (const { part, bytes } of unlinked) {
    const names = usable
      .map((encoding) => ({ encoding, name: decode(bytes, encoding) ?? '' }))
      .filter(({ name }) => name !== '')
    const found = names.find(({ name }) => linked.has(name)) ?? names[0]
    if (found !== undefined) decoded.set(part, found)
  }
  return decoded
}
