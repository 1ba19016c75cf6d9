import type { BundlePage } from '#manifest.ts'
import type { StoredSite } from '#open-site.ts'
import { compareFiles } from './compare-files.ts'
import { orderText, matchPages, toKey, type PagePair } from './match-pages.ts'
import { cutSuffix, findChangedParts, findTitleSuffix } from './page-parts.ts'
import { proposeTargets, redirectFinder } from './redirects.ts'
import { collapseSystematicChanges, findSharedChanges, type ComparedPair } from './shared-changes.ts'
import type { PageChange, SiteComparison } from './site-comparison.ts'
import { countWordChanges } from './words/compare-page.ts'

/** Pages whose words are counted, and the time for it. Beyond them, `words` is null. */
const maxCountedPages = 300
const countingMs = 120_000

/** What a comparison reads of a stored site. */
export type ComparableSite = Pick<StoredSite, 'manifest' | 'read'>

/** A check that did not finish leaves pages of which only the address is known. */
const isRead = ({ textHash }: BundlePage) => textHash !== ''
const isPage = ({ redirectsTo }: BundlePage) => redirectsTo === null

/** Compares two stored sites by their manifests, and reads the pages and files that differ. Aborts with `signal`. */
export const compareSites = async (
  earlier: ComparableSite,
  later: ComparableSite,
  signal: AbortSignal,
): Promise<SiteComparison> => {
  const countUntil = performance.now() + countingMs
  const before = await earlier.manifest()
  const after = await later.manifest()
  const findTarget = redirectFinder(after)
  const pages = { earlier: before.pages.filter(isPage), later: after.pages.filter(isPage) }
  const { same, moved, added, removed } = matchPages(pages.earlier, pages.later, findTarget)
  const suffixes = { earlier: findTitleSuffix(pages.earlier), later: findTitleSuffix(pages.later) }
  const moves = new Map(moved.map((pair) => [toKey(pair.earlier.address), toKey(pair.later.address)]))
  const findParts = (pair: PagePair) => findChangedParts(pair, { suffixes, moves })

  const read = same.filter(({ earlier: one, later: other }) => isRead(one) && isRead(other))
  const compared = read.map((pair) => ({ ...pair, isMoved: false, parts: findParts(pair) }))
  const shared = [...findSharedChanges(compared, suffixes), ...collapseSystematicChanges(compared)]
  const changed = compared.filter(({ parts }) => parts.length > 0)
  const proposals = proposeTargets(removed, pages.later)
  const titleLater = ({ title }: BundlePage) => cutSuffix(title, suffixes.later)
  const changes: PageChange[] = added.map((page) => ({
    kind: 'added',
    address: page.address,
    title: titleLater(page),
    from: null,
    words: null,
    parts: [],
    redirect: null,
  }))
  for (const page of removed)
    changes.push({
      kind: 'removed',
      address: page.address,
      title: cutSuffix(page.title, suffixes.earlier),
      from: null,
      words: null,
      parts: [],
      redirect: { exists: findTarget(page.address) !== null, proposal: proposals.get(page) ?? null },
    })
  const pairs = [...changed, ...moved.map((pair) => ({ ...pair, isMoved: true, parts: findParts(pair) }))]
  pairs.sort((a, b) => orderText(a.later.address, b.later.address))
  let counted = 0
  const countPair = async (pair: ComparedPair) => {
    if (!pair.parts.includes('text')) return { added: 0, removed: 0 }
    if (counted++ >= maxCountedPages || performance.now() > countUntil) return null
    return countWordChanges({ site: earlier, page: pair.earlier }, { site: later, page: pair.later }, signal)
  }
  for (const pair of pairs) {
    signal.throwIfAborted()
    const { isMoved } = pair
    changes.push({
      kind: isMoved ? 'moved' : 'changed',
      address: pair.later.address,
      title: titleLater(pair.later),
      from: isMoved ? pair.earlier.address : null,
      words: await countPair(pair),
      parts: pair.parts,
      redirect: isMoved ? { exists: findTarget(pair.earlier.address) !== null, proposal: pair.later.address } : null,
    })
  }
  changes.sort((a, b) => orderText(a.address, b.address) || orderText(a.kind, b.kind))
  return {
    version: 1,
    counts: { added: added.length, removed: removed.length, changed: changed.length, moved: moved.length },
    shared,
    files: await compareFiles({ manifest: before, site: earlier }, { manifest: after, site: later }, signal),
    unread: same.length - read.length,
    pages: changes,
  }
}
