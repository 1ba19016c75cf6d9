import { parse } from 'parse5'
import type { BundlePage, Manifest, PageDescription } from '#manifest.ts'
import { listElements, type Document } from '#pages/html.ts'
import { isPage, toAddress } from '#pages/page-address.ts'
import { readPageFacts } from '#pages/page-facts.ts'
import type { Report } from '#report.ts'
import { checkFiles } from './check-files.ts'
import { collectFindings } from './collect-findings.ts'
import { createLines } from './find-line.ts'
import { checkFragments, readFragment } from './fragments.ts'
import { findHtmlReferences } from './html-references.ts'
import { judgeReferences } from './judge-reference.ts'
import { checkLists } from './lists.ts'
import { notePages, type NotedPage } from './note-pages.ts'
import { addServiceReport } from './service-report.ts'
import { openContent, type OpenedContent, type SiteContent } from './site-content.ts'
import { createUsers } from './users.ts'

type ReferencedFile = { path: string; sha256: string; styleHash: string | null }

export type Describing = {
  describePage: (
    document: Document,
    context: {
      resolveLink(href: string): string | null
      findFile(reference: string): ReferencedFile | null
    },
  ) => PageDescription
  hashStyle: (css: string) => string
}

type CheckOptions = Describing & { onPage?: (done: number, total: number) => void }

export type CheckedSite = Pick<Manifest, 'root' | 'pages' | 'redirects'> & { report: Report }

export const checkSite = async (content: SiteContent, options: CheckOptions): Promise<CheckedSite> => {
  const { describePage, hashStyle, onPage } = options
  const site = await openContent(content)
  const { locator, pagePaths } = site
  const findings = collectFindings()
  const fragments = checkFragments()
  const users = createUsers()
  const linked = new Set<string>()
  const judge = judgeReferences({
    locator,
    findings,
    ownOrigin: site.ownOrigin,
    onFound: (path, { use, address }, referrer, places) => {
      if (use === 'style' || use === 'script' || use === 'manifest') users.add(referrer.path, path)
      if (!isPage(path) || (use !== 'link' && use !== 'redirect' && use !== 'frame')) return
      if (path !== referrer.path) linked.add(path)
      const name = readFragment(address)
      if (name !== null) fragments.add(path, name, places)
    },
  })

  const styleHashes = new Map<string, string>()
  for (const path of site.pathsLike(/\.css$/i)) styleHashes.set(path, hashStyle((await site.readText(path)) ?? ''))

  const pages: BundlePage[] = []
  const noted: Omit<NotedPage, 'isLinked'>[] = []
  let siteSearches = false
  for (const path of pagePaths) {
    const { sizeBytes, path: file } = site.find(path)!
    const text = (await site.readText(path)) ?? ''
    const document = parse(text)
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

  await checkFiles({ site, users, judge })
  await checkLists({ site, users, findings, judge })
  const listScripts = (path: string) => users.listLoaded(path).filter((one) => /\.m?js$/i.test(one))
  await fragments.report(findings, { toAddress, listScripts, readText: site.readText })
  reportLoops(pages, (target, page) => findings.add('redirect-loop', target, { page: page.address, path: page.path }))
  notePages(
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
    root: site.root,
    pages: pages.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    redirects: site.redirects,
    report: { version: 1, unfinished: explainUnfinished(site.unread, areAllListed), findings: found },
  }
}

const resolveLink = ({ locator }: OpenedContent, href: string, base: string): string | null => {
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
  /** The first address of the loop that an address ends in; null when it arrives. */
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
