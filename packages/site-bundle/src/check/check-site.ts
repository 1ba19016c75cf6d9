import type { BundlePage, Manifest, BundleFile } from '#manifest.ts'
import { toEarlierRedirects } from '#locator/bundle-rules.ts'
import { describePage, hashStyle } from '#pages/describe-page.ts'
import { listElements } from '#pages/html.ts'
import { isNotFoundAddress, listReaderPages } from '#locator/page-address.ts'
import { parsePage } from '#pages/parse-page.ts'
import { readPageFacts, type PageFacts } from '#pages/page-facts.ts'
import { parseJson } from '#parse-json.ts'
import type { Report } from '#report.ts'
import { checkFiles } from './check-files.ts'
import type { FileRemark } from '#archive/archive-file.ts'
import { collectFindings, type Findings, type NewPlace } from './collect-findings.ts'
import { createLines } from './find-line.ts'
import { createFragmentCheck, readFragment } from './fragments.ts'
import { findHtmlReferences } from './html-references.ts'
import { judgeReferences } from './judge-reference.ts'
import { checkLists } from './lists.ts'
import { checkRules } from './check-rules.ts'
import { openContent, type OpenedContent, type SiteContent } from './site-content.ts'
import { createUsers } from './users.ts'
import type { Rule } from './rules.ts'

/** What is known of a site before its pages are checked. */
export type OpenedSite = Pick<Manifest, 'root' | 'mount' | 'redirects' | 'rules'>

type CheckOptions = {
  onOpened?: (opened: OpenedSite) => Promise<void>
  onPage?: (done: number, total: number) => void
  remarks?: readonly FileRemark[]
}

export type CheckedSite = OpenedSite & Pick<Manifest, 'pages'> & { report: Report }

export const checkSite = async (
  content: SiteContent,
  { onOpened, onPage, remarks = [] }: CheckOptions = {},
): Promise<CheckedSite> => {
  const site = await openContent(content)
  const opened = {
    root: site.root,
    ...(site.mount !== '/' && { mount: site.mount }),
    redirects: toEarlierRedirects(site.rules),
    rules: site.rules,
  }
  await onOpened?.(opened)
  const { locator, pagePaths, isPage, toAddress } = site
  const findings = collectFindings()
  const fragments = createFragmentCheck()
  const users = createUsers()
  const linked = new Set<string>()
  const judge = judgeReferences({
    locator,
    findings,
    ownOrigin: site.ownOrigin,
    isAtOwnOrigin: site.isAtOwnOrigin,
    onFound: (path, { use, address }, referrer, places) => {
      if (use === 'style' || use === 'script' || use === 'manifest') users.add(referrer.path, path)
      if (!isPage(path) || (use !== 'link' && use !== 'redirect' && use !== 'frame')) return
      if (path !== referrer.path) linked.add(path)
      const name = readFragment(address)
      if (name !== null) fragments.add(path, name, places)
    },
  })

  const styleHashes = new Map<string, string>()
  for (const path of site.sheetPaths) styleHashes.set(path, hashStyle((await site.readText(path)) ?? ''))

  const pages: BundlePage[] = []
  const noted: Omit<NotedPage, 'isLinked'>[] = []
  let siteSearches = false
  for (const path of pagePaths) {
    const { sizeBytes, path: file } = site.find(path)!
    const text = (await site.readText(path)) ?? ''
    const document = parsePage(text, path)
    const elements = listElements(document)
    const facts = readPageFacts(elements, { looksForSearch: !siteSearches })
    const [address, base] = [toAddress(path), locator.toBase(path)]
    fragments.settle(path, facts)
    const references = findHtmlReferences(elements, (one) => locator.locate(one, base).kind !== 'file')
    const { findLine } = createLines(text)
    judge(references, {
      path,
      base,
      toPlaces: ({ excerpt, address: written }) => [
        { page: address, path: file, excerpt, line: () => findLine(written) },
      ],
    })
    const description = describePage(document, {
      resolveLink: (href) => resolveLink(site, href, base),
      findFile: (reference) => {
        const found = locator.locate(reference, base)
        if (found.kind !== 'file' || isPage(found.path)) return null
        const { path: name, sha256 } = site.find(found.path)!
        return { path: name, sha256, styleHash: styleHashes.get(found.path) ?? null }
      },
    })
    const { redirectsTo: to, withoutText, hasSearch } = facts
    const redirectsTo = to === null ? null : (resolveLink(site, to, base) ?? to)
    pages.push({ ...description, address, path: file, sizeBytes, redirectsTo })
    siteSearches ||= hasSearch
    noted.push({ address, path: file, sizeBytes, title: description.title, withoutText, hasSearch, redirectsTo })
    onPage?.(pages.length, pagePaths.length)
  }

  checkNames(content.files, findings, remarks)
  await checkFiles({ site, users, judge })
  await checkLists({ site, users, findings, judge })
  checkRules({ site, findings })
  const scripts = new Set(site.scriptPaths)
  const listScripts = (path: string) => users.listLoaded(path).filter((one) => scripts.has(one))
  await fragments.report(findings, { toAddress, listScripts, readText: site.readText })
  reportLoops(pages, (target, page) => findings.add('redirect-loop', target, { page: page.address, path: page.path }))
  noteMissingPages(
    noted.map((page) => ({ ...page, isLinked: linked.has(page.path.slice(site.root.length)) })),
    { findings, hasSearchFile: site.pathsLike(/search[^/]*\.(js|json)$|pagefind\//i).length > 0 },
  )
  if (site.mount !== '/')
    findings.add('mount', site.mount, { page: pages[0]?.address ?? null, path: pages[0]?.path ?? '' })
  const serviceReport = await site.readText('export-report.json')
  if (serviceReport !== null) {
    const toPage = (name: string) => {
      const found = locator.locate(encodeURI(name), locator.toBase(''))
      return found.kind === 'file' ? toAddress(found.path) : null
    }
    addServiceReport(serviceReport, { add: findings.addReported, toPage })
  }
  const { areAllListed, findings: found } = findings.finish()
  return {
    ...opened,
    pages: pages.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    report: { version: 1, unfinished: explainUnfinished(site.unread, areAllListed), findings: found },
  }
}

const resolveLink = ({ locator, toAddress }: OpenedContent, href: string, base: string): string | null => {
  const found = locator.locate(href, base)
  const fragment = readFragment(href)
  const rest = fragment === null ? '' : `#${fragment}`
  if (found.kind === 'file') return `${toAddress(found.path)}${rest}`
  if (found.kind === 'missing' || found.kind === 'beside') return `${found.address}${rest}`
  return found.kind === 'outside' ? found.url.href : null
}

/** Redirects that lead to each other are one cause, named by the first of them. */
const reportLoops = (pages: readonly BundlePage[], onLoop: (target: string, page: BundlePage) => void) => {
  const targets = new Map(
    pages.flatMap(({ address, redirectsTo }) =>
      redirectsTo === null ? [] : [[address, redirectsTo.replace(/#.*$/s, '')]],
    ),
  )
  /** The first address of the redirect loop that an address leads into; null when it leads to a page. */
  const loops = new Map<string, string | null>()
  for (const page of pages) {
    const seen = new Set<string>()
    let at: string | undefined = page.address
    while (at !== undefined && !seen.has(at) && !loops.has(at)) {
      seen.add(at)
      at = targets.get(at)
    }
    const trail = [...seen]
    const known = at === undefined ? null : loops.get(at)
    const loop = known === undefined ? trail.slice(trail.indexOf(at!)).toSorted()[0]! : known
    for (const address of trail) loops.set(address, loop)
    if (loop !== null) onLoop(loop, page)
  }
}

const explainUnfinished = (unread: ReadonlySet<string>, areAllListed: boolean): string | null => {
  const [first] = unread
  if (first !== undefined)
    return unread.size === 1
      ? `${first} is larger than 16 MiB, so it was not read.`
      : `${unread.size} files are larger than 16 MiB, so they were not read. The first is ${first}.`
  return areAllListed ? null : 'There are more than 10,000 causes, so the others are not listed.'
}

type NotedPage = Pick<BundlePage, 'address' | 'path' | 'sizeBytes' | 'title' | 'redirectsTo'> &
  Pick<PageFacts, 'withoutText' | 'hasSearch'> & {
    isLinked: boolean
  }

const largePageBytes = 1024 * 1024

const noteMissingPages = (
  pages: readonly NotedPage[],
  { findings, hasSearchFile }: { findings: Findings; hasSearchFile: boolean },
): void => {
  if (pages.length === 0) return findings.add('no-page', null, { page: null, path: '' })
  const shown = listReaderPages(pages)
  const titles = Map.groupBy(shown, ({ title }) => title)
  for (const page of shown) {
    const place: NewPlace = { page: page.address, path: page.path }
    if (page.title === '') findings.add('no-title', null, place)
    else if ((titles.get(page.title)?.length ?? 0) > 1) findings.add('same-title', page.title, place)
    for (const tag of page.withoutText) findings.add('no-alternative-text', null, { ...place, excerpt: () => tag })
    if (page.sizeBytes > largePageBytes) findings.add('large-page', null, place)
    if (!page.isLinked && page.address !== '/' && !/\/404\/?$/.test(page.address))
      findings.add('orphan-page', null, place)
  }
  const { address, path } = pages.find((page) => page.address === '/') ?? shown[0] ?? pages[0]!
  const first = { page: address, path }
  if (!hasSearchFile && !pages.some(({ hasSearch }) => hasSearch)) findings.add('no-search', null, first)
  if (!pages.some((page) => isNotFoundAddress(page.address))) findings.add('no-not-found-page', null, first)
}

/** Remarks of `export-report.json`, as Docket's own exporter writes them. Others have the same fields or are left out. */
type Remark = { page?: unknown; file?: unknown; kind?: unknown; what?: unknown; inBundle?: unknown }

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const words: Readonly<Record<string, string>> = {
  'left-out': 'The export left something out',
  'broken-link': 'The source has a broken link',
  'broken-anchor': 'The source links to a part of a page that is missing',
  'missing-file': 'A file is missing in the source',
  'not-understood': 'The export didn’t understand something',
  'not-a-page': 'The export left out a file that is no page',
}

/** Adds the service's own report about the bundle, as notes because it concerns the source. */
const addServiceReport = (
  content: string,
  { add, toPage }: { add: Findings['addReported']; toPage: (name: string) => string | null },
): void => {
  const lines = (parseJson(content) as { lines?: unknown } | null)?.lines
  if (!Array.isArray(lines)) return
  for (const line of lines as (Remark | null)[]) {
    const [rule, what] = [text(line?.kind), text(line?.what)]
    if (rule === null || what === null || line?.inBundle === true) continue
    const file = text(line?.file) ?? ''
    const page = text(line?.page)
    add(
      { rule: rule.slice(0, 60), sentence: `${words[rule] ?? 'The service reported'}: ${what}`, target: what },
      { page: page === null ? null : toPage(page), path: file.slice(0, 1_000) },
    )
  }
}

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

const isUnportable = (name: string) => reserved.test(name) || /[<>:"|?*\\]|[ .]$/.test(name)

/** Adds remarks, and names that Windows or macOS can't have. */
const checkNames = (files: readonly BundleFile[], findings: Findings, remarks: readonly FileRemark[]): void => {
  const add = (rule: Rule, path: string, target: string | null = null) =>
    findings.add(rule, target, { page: null, path })
  for (const { rule, path, target } of remarks) add(rule, path, target)
  for (const { path } of files) if (path.split('/').some(isUnportable)) add('unportable-name', path)
  const similar = Map.groupBy(files, ({ path }) => path.normalize('NFC').toLowerCase())
  for (const twins of similar.values()) if (twins.length > 1) for (const { path } of twins) add('similar-names', path)
}
