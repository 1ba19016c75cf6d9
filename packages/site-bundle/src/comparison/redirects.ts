import type { BundlePage, Manifest } from '#manifest.ts'
import { findSimilar, toKey } from './match-pages.ts'

/** Returns a function that finds where a site redirects an address: by a page that does nothing else, or by its own list of redirects. */
export const redirectFinder = ({ pages, redirects }: Manifest): ((address: string) => string | null) => {
  const exact = new Map<string, string>()
  const patterns: { prefix: string; to: string }[] = []
  for (const { from, to } of redirects) {
    if (from.endsWith('*')) patterns.push({ prefix: from.slice(0, -1), to })
    else exact.set(toPath(from), to)
  }
  for (const { address, redirectsTo } of pages) if (redirectsTo !== null) exact.set(toPath(address), redirectsTo)
  return (address) => {
    const found = exact.get(toPath(address))
    if (found !== undefined) return found
    const pattern = patterns.find(({ prefix }) => address.startsWith(prefix))
    return pattern ? pattern.to.replace(/:splat|\*/, () => address.slice(pattern.prefix.length)) : null
  }
}

const toPath = (address: string) => toKey(address.replace(/[?#].*$/s, '').replace(/(?:index)?\.html$/, ''))

/** Proposes where removed addresses might lead: the most similar page, one with the same name, or the nearest page above. */
export const proposeTargets = (
  removed: readonly BundlePage[],
  later: readonly BundlePage[],
): ReadonlyMap<BundlePage, string> => {
  const proposals = new Map<BundlePage, string>()
  const known = new Map(later.map(({ address }) => [toKey(address), address]))
  const names = Map.groupBy(known.keys(), (key) => key.split('/').at(-1) ?? '')
  const similar = Map.groupBy(findSimilar(removed, later), ({ earlier }) => earlier)
  for (const page of removed) {
    let best: { address: string; similarity: number } | null = null
    for (const { later: candidate, similarity } of similar.get(page) ?? [])
      if (similarity > (best?.similarity ?? 0)) best = { address: candidate.address, similarity }
    const key = toKey(page.address)
    const namesakes = names.get(key.split('/').at(-1) ?? '') ?? []
    const proposal = best?.address ?? (namesakes.length === 1 ? known.get(namesakes[0]!) : findAbove(key, known))
    if (proposal !== undefined) proposals.set(page, proposal)
  }
  return proposals
}

/** The nearest page above an address. Null for the home page alone, which tells nobody where the text went. */
const findAbove = (key: string, known: ReadonlyMap<string, string>): string | undefined => {
  let above = key
  while ((above = above.slice(0, above.lastIndexOf('/'))) !== '') {
    const found = known.get(above)
    if (found !== undefined) return found
  }
  return undefined
}
