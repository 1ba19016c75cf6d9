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
  const [ending, types] = kind
  // Storage services often send files as `application/octet-stream`.
  if (!new RegExp(`^(?:${types}|(?:application|binary)/octet-stream|)$`).test(type))
    return { problem: `its content does not match its type, ${type || 'which is missing'}` }
  if (ending === '.svg') {
    const danger = content.length > 4 * limits.pageBytes ? 'it is too large' : findSvgProblem(content)
    if (danger !== null) return { problem: `the SVG is not copied: ${danger}` }
  }
  const name = decodeAddress(new URL(address).pathname.split('/').at(-1) ?? '')
  const stem = name.slice(0, name.length - extname(name).length).replace(/^[^a-z0-9]+/i, '')
  return { file: nameCopy(stem, ending, content), content }
}

/** Output file of a copy. A digest makes its name unique even if letter case is ignored. */
export const nameCopy = (stem: string, ending: string, content: Buffer): string => {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8)
  const name = stem.replace(/[^a-z0-9_-]+/gi, '-').slice(0, 60)
  return `media/${name.toLowerCase() || 'file'}.${digest}${ending}`
}

type Kind = readonly [ending: string, types: string, matches: (head: Buffer) => boolean]

const createStartTest = (hex: string) => (head: Buffer) => head.subarray(0, hex.length / 2).toString('hex') === hex
const createBoxTest = (brands: RegExp) => (head: Buffer) =>
  head.toString('latin1', 4, 8) === 'ftyp' && brands.test(head.toString('latin1', 8, 12))
const createRiffTest = (kind: string) => (head: Buffer) =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === kind

const fonts = 'font/.+|application/(?:x-)?font-.+|application/vnd\\.ms-opentype'

/** File types by their first bytes, with the media types that are accepted for them. */
const kinds: readonly Kind[] = [
  ['.png', 'image/.+', createStartTest('89504e470d0a1a0a')],
  ['.jpg', 'image/.+', createStartTest('ffd8ff')],
  ['.gif', 'image/.+', createStartTest('47494638')],
  ['.webp', 'image/.+', createRiffTest('WEBP')],
  ['.avif', 'image/.+', createBoxTest(/^avi[fs]/)],
  ['.ico', 'image/.+', createStartTest('00000100')],
  ['.mp4', 'video/.+|audio/.+', createBoxTest(/^(?!qt|avi|hei|mif)/)],
  ['.mov', 'video/.+', createBoxTest(/^qt/)],
  ['.webm', 'video/.+|audio/.+', createStartTest('1a45dfa3')],
  ['.ogg', 'video/.+|audio/.+|application/ogg', createStartTest('4f676753')],
  ['.mp3', 'audio/.+', (head) => /^(?:494433|fff[23b])/.test(head.toString('hex', 0, 3))],
  ['.wav', 'audio/.+', createRiffTest('WAVE')],
  ['.woff2', fonts, createStartTest('774f4632')],
  ['.woff', fonts, createStartTest('774f4646')],
  ['.ttf', fonts, createStartTest('00010000')],
  ['.otf', fonts, createStartTest('4f54544f')],
  ['.pdf', 'application/pdf', createStartTest('255044462d')],
  ['.svg', 'image/svg\\+xml|text/xml|application/xml|text/plain', (head) => svgStart.test(head.toString('utf8'))],
]
const svgStart = /^\uFEFF?\s*(?:<\?xml|<!--|<!doctype svg|<svg)/i

const findKind = (content: Buffer): Kind | null => {
  const head = content.subarray(0, 256)
  return kinds.find(([, , matches]) => matches(head)) ?? null
}
