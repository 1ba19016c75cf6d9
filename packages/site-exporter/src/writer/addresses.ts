import { posix } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { SourceSite } from '#readers/source-site.ts'
import { decodeAddress } from '#site/data.ts'
import { createPageFinder, findPath, normalizePath } from '#site/page-paths.ts'
import { listPages, type SourcePage } from '#site/source-page.ts'

/** Target of a link. `outside`: another host. `file`: a source file that is not a page. `hidden`: a page that is not in the export. */
export type Destination =
  | { kind: 'page'; path: string; fragment: string }
  | { kind: 'fragment'; fragment: string }
  | { kind: 'file'; candidates: string[] }
  | { kind: 'outside'; href: string }
  | { kind: 'hidden' }
  | { kind: 'missing' }

type Place = Pick<SourcePage, 'path' | 'file'>

export const toHtmlFile = (path: string) => `${path}.html`

/** Relative link between output files, for any host, path or disk. Called for every entry of every page's navigation. */
export const toRelativeHref = (fromFile: string, toFile: string): string => {
  let shared = 0
  for (let end = 0; (end = fromFile.indexOf('/', shared)) >= 0; shared = end + 1)
    if (!toFile.startsWith(fromFile.slice(shared, end + 1), shared)) break
  const up = '../'.repeat(fromFile.slice(shared).split('/').length - 1)
  const rest = toFile.slice(shared)
  return up + (/^[\w./-]*$/.test(rest) ? rest : encodePath(rest))
}

/** Encodes a part of an address; lone surrogates become U+FFFD. */
export const encodePart = (text: string): string => encodeURIComponent(text.toWellFormed())

export const encodePath = (path: string): string => path.split('/').map(encodePart).join('/')

export const toPublicPath = (path: string) => (path === 'index' ? '' : path.replace(/\/index$/, ''))

/** Creates a resolver for addresses relative to the file, the page or the site root. */
export const createAddresses = (site: SourceSite, domain: string) => {
  const byLowerCase = new Map([...site.pages.keys()].map((path) => [path.toLowerCase(), path]))
  const byFile = new Map(
    [...site.pages.values()].map(({ file, path }) => [file.replace(/\.mdx?$/i, '').toLowerCase(), path]),
  )
  const find = createPageFinder((path) => byLowerCase.has(path.toLowerCase()), site.names)
  // Pages of a site link to the same places.
  const known = new LRUCache<string, string>({ max: 20_000 })
  const pageAt = (path: string) => {
    const page = known.get(path) ?? lookUp(path)
    if (page !== undefined) known.set(path, page)
    return page
  }
  const lookUp = (path: string) => {
    const found = find(path)
    return found === undefined ? byFile.get(normalizePath(path).toLowerCase()) : byLowerCase.get(found.toLowerCase())
  }

  const firstPages = listFirstPages(site)
  const isHidden = createHiddenCheck(site)

  const listCandidates = (from: Place, address: string) => {
    const alias = [...site.aliases].find(([prefix]) => `${address}/`.startsWith(prefix))
    const path = alias ? alias[1] + address.slice(alias[0].length) : address
    if (alias && alias[1] !== '/') return [posix.normalize(path)]
    if (path.startsWith('/')) {
      const place = posix.normalize(path).slice(1)
      // The site root may be a subfolder of the source, or the site may be below a path on the host.
      const below = place.includes('/') ? [place.slice(place.indexOf('/') + 1)] : []
      const published = site.published.flatMap((folder) => [place, ...below].map((name) => folder + name))
      return [place, ...published, ...listFoldersAbove(from.file).map((folder) => posix.join(folder, place)), ...below]
    }
    const beside = posix.join(posix.dirname(from.file), path)
    const byAddress = [posix.join(from.path, path), posix.join(posix.dirname(from.path), path)]
    const places = [...byAddress, posix.normalize(path)].filter((candidate) => !candidate.startsWith('..'))
    return [beside, ...places]
  }

  const own = new RegExp(`^https?://${domain.replaceAll('.', '\\.')}(?=[/?#]|$)`, 'i')

  return (from: Place, href: string): Destination => {
    const local = href.trim().replace(own, '') || '/'
    if (/^(https?:|mailto:|tel:|\/\/)/i.test(local)) {
      const address = local.startsWith('//') ? `https:${local}` : local
      // Browsers would resolve an invalid address on this site.
      return URL.canParse(address) ? { kind: 'outside', href: address } : { kind: 'missing' }
    }
    if (/^[a-z][a-z0-9+.-]*:/i.test(local)) return { kind: 'missing' }
    const [, rawPath = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(local) ?? []
    if (rawPath === '') return { kind: 'fragment', fragment: decodeAddress(fragment) }
    const candidates = listCandidates(from, decodeAddress(rawPath))
    for (const candidate of candidates) {
      const redirected = findRedirect(site, normalizePath(candidate))
      const path =
        pageAt(candidate) ?? (redirected === undefined ? undefined : pageAt(redirected.replace(/[?#].*$/s, '')))
      if (path !== undefined) return { kind: 'page', path, fragment: decodeAddress(fragment).replace(/:~:.*$/s, '') }
    }
    if (candidates.some(isHidden)) return { kind: 'hidden' }
    const firstPage = candidates
      .map((candidate) => firstPages.get(normalizePath(candidate).toLowerCase()))
      .find(Boolean)
    if (firstPage !== undefined) return { kind: 'page', path: firstPage, fragment: '' }
    return candidates.length > 0 ? { kind: 'file', candidates } : { kind: 'missing' }
  }
}

const findRedirect = ({ redirects }: SourceSite, path: string) =>
  redirects.get(path) ??
  listFoldersAbove(path)
    .map((folder) => redirects.get(`${folder}/*`))
    .findLast(Boolean)

const createHiddenCheck = ({ hidden }: SourceSite) => {
  const names = new Set(
    [...hidden.values()].flatMap(({ path, file }) =>
      [path, file.replace(/\.mdx?$/i, '')].map((name) => name.toLowerCase()),
    ),
  )
  return (path: string) => findPath(path, (candidate) => names.has(candidate.toLowerCase())) !== undefined
}

/** First page of each folder, for links to a folder, which a code host answers with a file list. */
const listFirstPages = (site: SourceSite) => {
  const first = new Map<string, string>()
  for (const path of [...site.nav.flatMap(listPages), ...listVisiblePages(site)]) {
    for (const folder of listFoldersAbove(path))
      if (!first.has(folder.toLowerCase())) first.set(folder.toLowerCase(), path)
  }
  return first
}

const listVisiblePages = (site: SourceSite) =>
  [...site.pages.values()].flatMap(({ path, hidden }) => (hidden ? [] : [path]))

const listFoldersAbove = (file: string): string[] => {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

export type Addresses = ReturnType<typeof createAddresses>
