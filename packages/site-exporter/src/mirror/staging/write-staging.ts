import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Crawled, CrawledPage } from '#mirror/crawl/crawl.ts'
import type { NavPart } from '#mirror/finding/navigation.ts'
import type { Scope } from '#mirror/finding/scope.ts'
import { escapeAttribute } from '#site/data.ts'
import { toMirroredFile, toSafeSegment } from '#site/page-paths.ts'
import { buildNavigationEntries } from './docs-file.ts'
import { computeDigest, type Drafts, type Draft } from './draft.ts'
import { type MediaFiles, keepInlineImage } from './media-files.ts'

type Deps = { staging: string; scope: Scope; drafts: Drafts; media: MediaFiles }

/** Writes crawled pages and a docs.json as a regular source. Returns the page count. */
export const writeStaging = async (crawled: Crawled, { staging, scope, drafts, media }: Deps): Promise<number> => {
  const findPage = createPageFinder(crawled)
  const pages = [...crawled.pages.values()].filter(({ key }) => findPage(key) === key)
  const names = choosePageNames(pages.map(({ key }) => key))
  const trees = crawled.navigation.trees(crawled.linkedFirst)
  const labels = collectLabels(trees.flat())
  const { siteName, findTitle, findDescription } = collectTitles(pages)

  for (const page of pages) {
    const html = await resolveReferences(await drafts.read(page.key), {
      staging,
      scope,
      crawled,
      findPage,
      names,
      media,
    })
    const title = findTitle(page)
    const label = labels.get(page.key)
    const head = { title, sidebarTitle: label === title ? null : label, description: findDescription(page) }
    const file = join(staging, toMirroredFile(names.get(page.key)!))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `---\n${formatFrontMatter(head)}---\n${html}\n`)
  }

  const start = crawled.pages.get(findPage('') ?? '') ?? pages[0]
  const icon = start?.icon ? media.get(scope.toOwnUrl(start.icon) ?? '') : undefined
  const toPath = (key: string) => names.get(findPage(key) ?? '\0') ?? null
  const byPath = new Map(pages.map((page) => [names.get(page.key)!, page]))
  const paths = [...names.values()]
  const docs = {
    name: siteName ?? (start && findTitle(start)) ?? new URL(scope.origin).host,
    ...(start?.color && { colors: { primary: start.color } }),
    ...(icon && icon !== 'missing' && { favicon: `/${icon.file}` }),
    navigation: buildNavigationEntries(trees, paths, toPath, (path) => findTitle(byPath.get(path)!) ?? path),
    redirects: [...crawled.aliases.keys()].toSorted().flatMap((source) => {
      const path = toPath(source)
      return path === null || path === source ? [] : [{ source: `/${source}`, destination: `/${path}` }]
    }),
  }
  await writeFile(join(staging, 'docs.json'), `${JSON.stringify(docs, null, 1)}\n`)
  return pages.length
}

const createPageFinder = ({ pages, aliases }: Crawled) => {
  return (key: string): string | null => {
    let at = key
    for (let steps = 0; steps < 6; steps += 1) {
      const page = pages.get(at)
      const canonical: CrawledPage | undefined =
        typeof page?.canonical === 'string' ? pages.get(page.canonical) : undefined
      if (page && canonical && canonical.digest === page.digest) at = canonical.key
      else if (page) return at
      else if (aliases.has(at)) at = aliases.get(at)!
      else return null
    }
    return pages.has(at) ? at : null
  }
}

const collectLabels = (parts: readonly NavPart[]): Map<string, string> =>
  new Map(
    parts.flatMap((part) => ('key' in part ? [[part.key, part.title] as const] : [...collectLabels(part.children)])),
  )

/** JSON strings are valid YAML. */
const formatFrontMatter = (head: Readonly<Record<string, string | null | undefined>>) =>
  Object.entries(head)
    .map(([name, value]) => (value ? `${name}: ${JSON.stringify(value.slice(0, 1_000))}\n` : ''))
    .join('')

/** Chooses a path per page: `guide` becomes `guide/index` if it has pages below it. Unsafe or clashing names get a digest. */
const choosePageNames = (keys: Iterable<string>): Map<string, string> => {
  const sorted = [...keys].toSorted((a, b) => (a < b ? -1 : 1))
  const folders = new Set(
    sorted.flatMap((key) => key.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  )
  const names = new Map<string, string>()
  const used = new Set<string>()
  for (const key of sorted) {
    const place = key === '' ? 'index' : folders.has(key) ? `${key}/index` : key
    const safe = place.split('/').map(toSafeName).join('/')
    const name = used.has(safe.toLowerCase()) ? `${safe}-${computeDigest(key).slice(0, 6)}` : safe
    used.add(name.toLowerCase())
    names.set(key, name)
  }
  return names
}

const toSafeName = (part: string): string => {
  const safe = toSafeSegment(part).replace(/\.(mdx?|html?)$/i, '-$1')
  return safe === part ? part : `${safe.slice(0, 70)}-${computeDigest(part).slice(0, 6)}`
}

const separator = /\s+(?:[|·•–—-]|::|»|«|\/)\s+/

/** Derives the site name from frequent title suffixes, and drops descriptions that many pages share. */
const collectTitles = (pages: readonly CrawledPage[]) => {
  const count = (values: Iterable<string | null | undefined>) => {
    const counts = new Map<string, number>()
    for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
    return counts
  }
  const findMostFrequent = (counts: ReadonlyMap<string, number>) =>
    [...counts].toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))[0]
  const parts = pages.map(({ documentTitle }) => documentTitle?.split(separator) ?? [])
  const last = findMostFrequent(count(parts.filter((part) => part.length > 1).map((part) => part.at(-1))))
  const isOnMost = last !== undefined && last[1] > 1 && last[1] * 2 >= pages.length
  const declared = findMostFrequent(count(pages.map(({ siteName }) => siteName)))?.[0] ?? null
  const siteName = declared ?? (isOnMost ? last[0] : null)
  const suffixes = new Set([siteName, isOnMost ? last[0] : null])
  const descriptions = count(pages.map(({ description }) => description))

  return {
    siteName,
    findTitle: ({ title, documentTitle }: CrawledPage) => {
      if (title) return title
      if (!documentTitle) return null
      const words = documentTitle.split(separator)
      while (words.length > 1 && suffixes.has(words.at(-1)!)) words.pop()
      while (words.length > 1 && suffixes.has(words[0]!)) words.shift()
      return words.join(' – ')
    },
    findDescription: ({ description }: CrawledPage) =>
      description && descriptions.get(description)! <= 2 ? description : null,
  }
}

type ReferenceDeps = {
  staging: string
  scope: Scope
  crawled: Pick<Crawled, 'files' | 'missing'>
  findPage: (key: string) => string | null
  names: ReadonlyMap<string, string>
  media: MediaFiles
}

const resolveReferences = async (draft: Draft, deps: ReferenceDeps): Promise<string> => {
  const addresses = await Promise.all(draft.references.map(({ url, kind }) => resolveAddress(url, kind, deps)))
  return draft.html.replaceAll(/ (href|src)="docket-mirror:(\d+)"/g, (_, name: string, number: string) => {
    const address = addresses[Number(number)]
    return address === undefined || address === '' ? '' : ` ${name}="${escapeAttribute(address)}"`
  })
}

const resolveAddress = async (url: string, kind: 'link' | 'media', deps: ReferenceDeps): Promise<string> => {
  const { scope, crawled, names, media } = deps
  if (url.startsWith('data:')) {
    const file = await keepInlineImage(deps.staging, url)
    return file === null ? '' : `/${file}`
  }
  const own = scope.toOwnUrl(url)
  const fileAt = (address: string): string => {
    const found = media.get(address)
    // A missing file stays a broken link, which the report lists.
    return found === undefined ? address : found === 'missing' ? new URL(address).pathname : `/${found.file}`
  }
  if (kind === 'media') return own === null ? url : fileAt(own)
  const place = scope.locate(url)
  if (place === null || place.kind === 'outside') return place?.url ?? url
  if (place.kind === 'file') return fileAt(place.url)
  const fragment = place.fragment && `#${place.fragment}`
  const key = deps.findPage(place.key)
  if (key !== null) return `/${names.get(key)!.split('/').map(encodeURIComponent).join('/')}${fragment}`
  const file = crawled.files.get(place.key)
  if (file !== undefined) return fileAt(file)
  return crawled.missing.has(place.key)
    ? `/${place.key.split('/').map(encodeURIComponent).join('/')}${fragment}`
    : place.url + fragment
}
