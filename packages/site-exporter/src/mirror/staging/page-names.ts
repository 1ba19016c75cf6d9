import { safeSegment } from '#site/page-paths.ts'
import { sumDigest } from './draft.ts'

/**
 * Gives each page the path it has on the exported site, close to the one it has on its own: `guide` becomes `guide/index` when other
 * pages are below it. Names that would not survive on every disk, or that differ in letter case only, get a digest behind them.
 */
export const pageNames = (keys: Iterable<string>): Map<string, string> => {
  const sorted = [...keys].toSorted((a, b) => (a < b ? -1 : 1))
  const folders = new Set(
    sorted.flatMap((key) => key.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  )
  const names = new Map<string, string>()
  const used = new Set<string>()
  for (const key of sorted) {
    const place = key === '' ? 'index' : folders.has(key) ? `${key}/index` : key
    const safe = place.split('/').map(safeName).join('/')
    const name = used.has(safe.toLowerCase()) ? `${safe}-${sumDigest(key).slice(0, 6)}` : safe
    used.add(name.toLowerCase())
    names.set(key, name)
  }
  return names
}

const safeName = (part: string): string => {
  const safe = safeSegment(part).replace(/\.(mdx?|html?)$/i, '-$1')
  return safe === part ? part : `${safe.slice(0, 70)}-${sumDigest(part).slice(0, 6)}`
}
