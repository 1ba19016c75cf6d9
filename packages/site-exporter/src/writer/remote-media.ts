import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { sourceLimits } from '@docket/sources/source-folder'
import { decodeAddress } from '#site/data.ts'
import { limits } from '#site/limits.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import { findSvgProblem } from './harmless-svg.ts'

type Kept = { file: string; content: Buffer } | { problem: string }

/** Reads a picture, film, sound, font or PDF from another host. Its name is derived from its content. Null when its host is not allowed. */
export const readRemoteMedia = async (read: ReadRemoteFile, address: string): Promise<Kept | null> => {
  const result = await read(address, sourceLimits.fileBytes)
  if (result === null || 'problem' in result) return result
  const { content, type } = result
  const kind = findKind(content)
  if (kind === null) return { problem: `its content is no picture, film, sound, font or PDF${type && ` (${type})`}` }
  if (!kind.types.test(type)) return { problem: `its content does not match its type, ${type || 'which is missing'}` }
  if (kind.ending === '.svg') {
    const danger = content.length > 4 * limits.pageBytes ? 'it is too large' : findSvgProblem(content)
    if (danger !== null) return { problem: `the SVG is not copied: ${danger}` }
  }
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8)
  const name = decodeAddress(new URL(address).pathname.split('/').at(-1) ?? '')
  const stem = name
    .slice(0, name.length - extname(name).length)
    .replace(/[^a-z0-9_-]+/gi, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 60)
    .toLowerCase()
  return { file: `media/${stem || 'file'}.${digest}${kind.ending}`, content }
}

type Kind = { ending: string; types: RegExp; matches: (head: Buffer) => boolean }

const createStartTest = (hex: string) => (head: Buffer) => head.subarray(0, hex.length / 2).toString('hex') === hex
const createBoxTest = (brands: RegExp) => (head: Buffer) =>
  head.toString('latin1', 4, 8) === 'ftyp' && brands.test(head.toString('latin1', 8, 12))
const createRiffTest = (kind: string) => (head: Buffer) =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === kind

/** Storage services often send files as `application/octet-stream`. */
const bytes = 'application/octet-stream|binary/octet-stream'
const createTypePattern = (types: string) => new RegExp(`^(?:${types}|${bytes}|)$`)

const fonts = 'font/.+|application/(?:x-)?font-.+|application/vnd\\.ms-opentype'

/** File types by their first bytes, with the media types that are accepted for them. */
const kinds: readonly Kind[] = [
  { ending: '.png', types: createTypePattern('image/.+'), matches: createStartTest('89504e470d0a1a0a') },
  { ending: '.jpg', types: createTypePattern('image/.+'), matches: createStartTest('ffd8ff') },
  { ending: '.gif', types: createTypePattern('image/.+'), matches: createStartTest('47494638') },
  { ending: '.webp', types: createTypePattern('image/.+'), matches: createRiffTest('WEBP') },
  { ending: '.avif', types: createTypePattern('image/.+'), matches: createBoxTest(/^avi[fs]/) },
  { ending: '.ico', types: createTypePattern('image/.+'), matches: createStartTest('00000100') },
  { ending: '.mp4', types: createTypePattern('video/.+|audio/.+'), matches: createBoxTest(/^(?!qt|avi|hei|mif)/) },
  { ending: '.mov', types: createTypePattern('video/.+'), matches: createBoxTest(/^qt/) },
  { ending: '.webm', types: createTypePattern('video/.+|audio/.+'), matches: createStartTest('1a45dfa3') },
  {
    ending: '.ogg',
    types: createTypePattern('video/.+|audio/.+|application/ogg'),
    matches: createStartTest('4f676753'),
  },
  {
    ending: '.mp3',
    types: createTypePattern('audio/.+'),
    matches: (head) => createStartTest('494433')(head) || /^fff[23b]/.test(head.toString('hex', 0, 2)),
  },
  { ending: '.wav', types: createTypePattern('audio/.+'), matches: createRiffTest('WAVE') },
  { ending: '.woff2', types: createTypePattern(fonts), matches: createStartTest('774f4632') },
  { ending: '.woff', types: createTypePattern(fonts), matches: createStartTest('774f4646') },
  { ending: '.ttf', types: createTypePattern(fonts), matches: createStartTest('00010000') },
  { ending: '.otf', types: createTypePattern(fonts), matches: createStartTest('4f54544f') },
  { ending: '.pdf', types: createTypePattern('application/pdf'), matches: createStartTest('255044462d') },
  {
    ending: '.svg',
    types: createTypePattern('image/svg\\+xml|text/xml|application/xml|text/plain'),
    matches: (head) => /^\uFEFF?\s*(?:<\?xml|<!--|<!doctype svg|<svg)/i.test(head.toString('utf8')),
  },
]

const findKind = (content: Buffer): Kind | null => {
  const head = content.subarray(0, 256)
  return kinds.find(({ matches }) => matches(head)) ?? null
}
