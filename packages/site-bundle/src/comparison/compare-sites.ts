import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createManifestLocator } from '#locator/locator.ts'
import type { BundlePage, Manifest, BundleFile } from '#manifest.ts'
import type { StoredSite } from '#open-site.ts'
import { countWordChanges } from '#comparison/words/compare-page.ts'
import { neutralisePath, neutraliseText } from '#pages/description/build-ids.ts'
import { compareText, matchPages, pairByKey, toKey, type PagePair, type Rest, findSimilar } from './match-pages.ts'
import {
  cutSuffix,
  findChangedParts,
  findTitleSuffix,
  collapseSystematicChanges,
  findSharedChanges,
  type ComparedPair,
} from './shared-changes.ts'
import type { PageChange, SiteComparison } from './site-comparison.ts'

/** Limits on pages whose words are counted, and on the time for it. Beyond them, `words` is null. */
const maxCountedPages = 300
const countingMs = 120_000

export type ComparableSite = Pick<StoredSite, 'manifest' | 'read'>

/** After an unfinished check, only the address of some pages is known. */
const isRead = ({ textHash }: BundlePage) => textHash !== ''
const isPage = ({ redirectsTo }: BundlePage) => redirectsTo === null

export const compareSites = async (
  earlier: ComparableSite,
  later: ComparableSite,
  signal: AbortSignal,
): Promise<SiteComparison> => {
  const countUntil = performance.now() + countingMs
  const before = await earlier.manifest()
  const after = await later.manifest()
  const findTarget = createRedirectFinder(after)
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
  const uncompared = { from: null, words: null, parts: [], redirect: null }
  const changes: PageChange[] = added.map((page) => ({
    ...uncompared,
    kind: 'added',
    address: page.address,
    title: titleLater(page),
  }))
  for (const page of removed)
    changes.push({
      ...uncompared,
      kind: 'removed',
      address: page.address,
      title: cutSuffix(page.title, suffixes.earlier),
      redirect: { exists: findTarget(page.address) !== null, proposal: proposals.get(page) ?? null },
    })
  const pairs = [...changed, ...moved.map((pair) => ({ ...pair, isMoved: true, parts: findParts(pair) }))]
  pairs.sort((a, b) => compareText(a.later.address, b.later.address))
  let counted = 0
  const countPair = async (pair: ComparedPair) => {
    if (!pair.parts.some((part) => part === 'text' || part === 'details')) return { added: 0, removed: 0 }
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
      parts: pair.parts.map((part) => (part === 'details' ? 'text' : part)),
      redirect: isMoved ? { exists: findTarget(pair.earlier.address) !== null, proposal: pair.later.address } : null,
    })
  }
  changes.sort((a, b) => compareText(a.address, b.address) || compareText(a.kind, b.kind))
  return {
    version: 1,
    counts: { added: added.length, removed: removed.length, changed: changed.length, moved: moved.length },
    shared,
    files: await compareFiles({ manifest: before, site: earlier }, { manifest: after, site: later }, signal),
    unread: same.length - read.length,
    pages: changes,
  }
}

/** Finds where a site leads readers from an address of an earlier one. */
const createRedirectFinder = (manifest: Manifest): ((address: string) => string | null) => {
  const { resolve, findAddress } = createManifestLocator(manifest)
  const mount = (manifest.mount ?? '/').slice(0, -1)
  const redirects = new Map(manifest.pages.map(({ path, redirectsTo }) => [path, redirectsTo]))
  return (address) => {
    const found = resolve(mount + address)
    if (found.kind === 'not_found' || found.status >= 400) return null
    if (found.kind === 'redirect' && found.path === null)
      return found.to.startsWith(`${mount}/`) ? found.to.slice(mount.length) : found.to
    return redirects.get(found.path!) ?? findAddress(found.path!)
  }
}

const proposeTargets = (
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

/** Undefined for the home page alone, which tells nobody where the text went. */
const findAbove = (key: string, known: ReadonlyMap<string, string>): string | undefined => {
  let above = key
  while ((above = above.slice(0, above.lastIndexOf('/'))) !== '') {
    const found = known.get(above)
    if (found !== undefined) return found
  }
  return undefined
}

/** Files beyond these count as changed without a look inside. Bytes. */
const maxFileBytes = 2 * 1024 ** 2
const maxTotalBytes = 48 * 1024 ** 2

type Side = { manifest: Manifest; site: Pick<StoredSite, 'read'> }

/** Counts changes of files that are not pages. Names and texts are compared without hashes and build ids. */
const compareFiles = async (earlier: Side, later: Side, signal: AbortSignal) => {
  const { differing, removed, added } = pairFiles(listFiles(earlier.manifest), listFiles(later.manifest))
  let changed = 0
  let total = 0
  for (const { earlier: file, later: partner } of differing) {
    signal.throwIfAborted()
    const bytes = file.sizeBytes + partner.sizeBytes
    if (!isText(file) || Math.max(file.sizeBytes, partner.sizeBytes) > maxFileBytes || total + bytes > maxTotalBytes) {
      changed++
      continue
    }
    total += bytes
    const [before, after] = await Promise.all([earlier.site.read(file.path), later.site.read(partner.path)])
    if ((await readNeutral(before)) !== (await readNeutral(after))) changed++
  }
  return { added, removed, changed }
}

const pairFiles = (earlier: BundleFile[], later: BundleFile[]) => {
  const pairs: { earlier: BundleFile; later: BundleFile }[] = []
  let rest: Rest<BundleFile> = { earlier, later }
  for (const read of [
    ({ path }: BundleFile) => path,
    ({ path, sha256 }: BundleFile) => `${neutralisePath(path)} ${sha256}`,
    ({ path }: BundleFile) => neutralisePath(path),
    ({ path, sha256 }: BundleFile) => `${path.slice(path.lastIndexOf('.'))} ${sha256}`,
  ])
    rest = pairByKey(rest.earlier, rest.later, read, pairs)
  const differing = pairs.filter((pair) => pair.earlier.sha256 !== pair.later.sha256)
  return { differing, removed: rest.earlier.length, added: rest.later.length }
}

const listFiles = ({ files, pages }: Manifest) => {
  const paths = new Set(pages.map(({ path }) => path))
  return files.filter(({ path }) => !paths.has(path))
}

const isText = ({ type }: BundleFile) => /^text\/|[/+](?:json|xml)$/.test(type)

const readNeutral = async (content: Readable) => neutraliseText(await text(content))
