import { getFileNameLowLevel } from 'yauzl'
import { type ArchiveContent, controlCharacter } from './archive-file.ts'
import { decodeAddress } from '#locator/addresses.ts'
import { readPageEnding } from '#locator/page-address.ts'
import { decodeText, findDeclaredEncoding } from '#text-encoding.ts'

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

/** Parts of the addresses that pages link to, and encodings that their own one and their language suggest. */
const readEvidence = (pages: readonly Buffer[]) => {
  const linked = new Set<string>()
  const hints: string[] = []
  for (const page of pages) {
    const text = decodeText(page, true)
    const declared = findDeclaredEncoding(page)
    const language = /<html\s[^>]*lang\s*=\s*["']?([a-z]{2})/i.exec(text)?.[1]?.toLowerCase() ?? ''
    const hint = declared === null || declared === 'utf-8' ? encodingsByLanguage[language] : declared
    if (hint !== undefined) hints.push(hint)
    for (const [, address = ''] of text.matchAll(/\s(?:href|src)\s*=\s*["']?([^"'>\s?#]*)/gi))
      for (const part of address.split('/')) linked.add(decodeAddress(part) ?? part)
  }
  return { linked, hints }
}

/**
 * Decodes parts of paths that are not UTF-8: by the links of the pages, else by the pages' encoding or language, else as the ZIP format
 * says. `names` lacks parts that are no names in that encoding, and those to whose bytes a page links.
 */
const decodeParts = (
  parts: ReadonlySet<string>,
  { pages, isZip }: { pages: readonly Buffer[]; isZip: boolean },
): { encoding: string; names: ReadonlyMap<string, string> } => {
  const { linked, hints } = readEvidence(pages)
  const unlinked = [...parts].filter((part) => !linked.has(part)).map((part) => [part, toBytes(part)] as const)
  const decodeAll = (encoding: string) => {
    const pairs = unlinked.map(([part, bytes]) => [part, decode(bytes, encoding)] as const)
    const names = new Map(pairs.flatMap(([part, name]) => (name === null ? [] : [[part, name]])))
    return { encoding, names, hits: [...names.values()].filter((name) => linked.has(name)).length }
  }
  const best = encodings.map(decodeAll).toSorted((a, b) => b.hits - a.hits)[0]!
  if (best.hits > 0) return best
  const hint = hints[0] ?? (isZip ? 'cp437' : null)
  return hint === null ? { encoding: '', names: new Map() } : decodeAll(hint)
}

/** Pages that are read for the links to names of unknown encoding. */
const maxSampledPages = 200
const maxSampledBytes = 1024 ** 2

/** Paths as the site has them: with names in other encodings decoded where that is possible. Adds remarks about these. */
export const nameFiles = async (
  { sources, foreignParts, remarks, ending }: ArchiveContent,
  read: (path: string) => Promise<Buffer>,
  readSize: (path: string) => number,
): Promise<ReadonlyMap<string, string>> => {
  if (foreignParts.size === 0) return sources
  const sampled = [...new Set(sources.values())].filter(
    (path) => readPageEnding(path) !== '' && readSize(path) <= maxSampledBytes,
  )
  const pages: Buffer[] = []
  for (const path of sampled.slice(0, maxSampledPages)) pages.push(await read(path))
  const { encoding, names } = decodeParts(foreignParts, { pages, isZip: ending === '.zip' })
  const named = new Map<string, string>()
  for (const [written, source] of sources) {
    const parts = written.split('/')
    const decoded = parts.map((part) => names.get(part) ?? part).join('/')
    const path = sources.has(decoded) || named.has(decoded) ? written : decoded
    named.set(path, source)
    if (path !== written) remarks.push({ rule: 'decoded-name', target: encoding, path })
    else if (parts.some((part) => foreignParts.has(part))) remarks.push({ rule: 'undecoded-name', path })
  }
  return named
}
