import { posix } from 'node:path'
import type { RenameHistory } from './rename-history.ts'
import { listPathCandidates, resolveTarget, type LinkSpace } from './resolve.ts'

/** `isGone` is true when the link's file existed before. */
export type Verdict = { kind: 'file'; file: string } | { kind: 'unclear'; candidates: string[]; isGone: boolean }

export const explainUnclear = (verdict: Verdict): string => {
  if (verdict.kind === 'file') return `${verdict.file} cannot be written in the style of this link`
  const { candidates, isGone } = verdict
  if (candidates.length > 0) return `may mean ${candidates.slice(0, 3).join(' or ')}`
  return isGone ? 'its file was deleted' : 'there is no such file'
}

export type BrokenPath = { page: string; path: string }

export type WasThere = (place: { path: string; commit: string }, path: string) => Promise<boolean>

/** Uses renames of the target or page, letter case and extension. Unclear unless all of them lead to one file. */
export const repairPath = async (
  space: LinkSpace,
  history: RenameHistory,
  broken: BrokenPath,
  wasThere: WasThere,
): Promise<Verdict> => {
  const { page, path } = broken
  const places = listPathCandidates(space, page, path)
  const candidates = new Set([
    ...places.flatMap((place) => findMovedFile(place, history)),
    ...findSimilarPath(space, places),
  ])
  for (const earlier of history.before(page)) {
    if (path.startsWith('/') || !(await wasThere(earlier, path))) continue
    const [place] = listPathCandidates(space, earlier.path, path)
    if (place === undefined) continue
    const file = space.fileAt(place)
    for (const one of file === null ? findMovedFile(place, history) : [file]) candidates.add(one)
  }
  candidates.delete(page)
  const [only] = candidates
  if (candidates.size === 1 && only !== undefined) return { kind: 'file', file: only }
  const isGone = places.flatMap(listOldPlaces).some((old) => history.isGone(old))
  return { kind: 'unclear', candidates: [...candidates], isGone }
}

const endings = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md']

const findMovedFile = (place: string, history: RenameHistory): string[] =>
  listOldPlaces(place).flatMap((path) => (history.isGone(path) ? (history.now(path) ?? []) : []))

const listOldPlaces = (place: string): string[] => {
  const bare = place.replace(/\/+$/, '')
  return [...new Set([...endings.map((ending) => bare + ending), bare.replace(/\.html$/i, '.md'), swapEnding(bare)])]
}

const swapEnding = (path: string) => {
  if (/\.mdx$/i.test(path)) return path.slice(0, -1)
  return /\.md$/i.test(path) ? `${path}x` : path
}

const findSimilarPath = (space: LinkSpace, places: readonly string[]): string[] => {
  const wanted = new Set(places.map(foldPath))
  return space.files.filter((file) => {
    if (wanted.has(foldPath(file))) return true
    return /(^|\/)(index|readme)\.mdx?$/i.test(file) && wanted.has(posix.dirname(file).toLowerCase())
  })
}

/** Only pages may differ in their extension. */
const foldPath = (path: string) =>
  path
    .replace(/\/+$/, '')
    .replace(/\.(mdx?|html)$/i, '')
    .toLowerCase()

/** Writes a path in the style of the old link. Null when no such path leads there. */
export const formatPathTo = (space: LinkSpace, broken: BrokenPath, file: string): string | null => {
  const { page, path } = broken
  const from = path.startsWith('/') ? space.findRoot(page) : posix.dirname(page)
  const relative = posix.relative(from, file)
  if (path.startsWith('/') && relative.startsWith('..')) return null
  const lead = path.startsWith('/') ? '/' : path.startsWith('./') && !relative.startsWith('..') ? './' : ''
  return (
    listSpellings(path, relative)
      .map((way) => encodePath(lead + way))
      .find((way) => resolveTarget(space, page, decodeURIComponent(way)) === file) ?? null
  )
}

/** The spelling closest to `path` comes first. */
export const listSpellings = (path: string, relative: string): string[] => {
  const bare = relative.replace(/\.mdx?$/i, '')
  if (/\.mdx?$/i.test(path)) return [relative]
  if (/\.html$/i.test(path)) return [`${bare}.html`, relative]
  if (path.endsWith('/'))
    return [`${bare.replace(/(^|\/)(index|readme)$/i, '')}/`, `${bare}/`, relative].map((way) =>
      way.replace(/^\/$/, './'),
    )
  return [bare, relative]
}

/** Encodes a path so that Markdown and HTML read the same address. */
export const encodePath = (path: string) =>
  path.replaceAll(/[%\s()<>"'`\\?#]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/** Encodes non-ASCII letters of a new path as the old one did: as themselves, or as escapes. */
export const matchEncoding = (raw: string, path: string): string =>
  /%[89a-f][0-9a-f]/i.test(raw) ? path.replaceAll(/[^\p{ASCII}]+/gu, encodeURIComponent) : path
