import type { BundleFile, Manifest } from '#manifest.ts'
import { addQuery, decodeAddress, encodeAddress, escapeLocation, isOwnAddress } from './addresses.ts'
import { readEarlierRules } from './bundle-rules.ts'
import type { BundleRules } from '#site-rules.ts'
import { isHidden } from './hidden-files.ts'
import { isPage, readPageEnding, toAddress, toFileAddress } from './page-address.ts'
import { createRuleMatcher, type MatchedRule } from './rule-matcher.ts'

/** A site that expects to be at `mount`, such as `/` or `/docs/`. `root` is its folder in the bundle: empty, or such as `site/`. */
export type LocatedSite = {
  root: string
  mount: string
  files: readonly Pick<BundleFile, 'path' | 'type'>[]
  rules: Pick<BundleRules, 'rules' | 'headers'>
}

/** Paths are those of the bundle. */
export type Located =
  | { kind: 'file'; status: 200 | 404 | 410; path: string; isByRule?: true }
  /** `to` is an address or a URL, with the query. `path` is the file that it arrives at when no rule of the bundle made it. */
  | { kind: 'redirect'; status: 301 | 302 | 303 | 307 | 308; to: string; path: string | null }
  | { kind: 'not_found'; status: 404 | 410 }

type Asked = { query: string; host?: string | undefined }

/** No file of a bundle has a longer path. */
const maxPathChars = 1_024

/** Files by name. NFC and NFD of a name are the same unless the bundle has both. */
const createNames = () => {
  const names = new Map<string, string>()
  return {
    /** The first path of a name stays. */
    add: (name: string, path: string) => {
      for (const one of [name, name.normalize('NFC')]) if (!names.has(one)) names.set(one, path)
    },
    find: (name: string): string | undefined => names.get(name) ?? names.get(name.normalize('NFC')),
  }
}

const endings = ['.html', '.htm', '.xhtml']

/** The page that gets a clean address comes first: `.html` before others, then lower case. */
const comparePages = (a: string, b: string) => {
  const [one, other] = [a, b].map((path) => endings.indexOf(readPageEnding(path).toLowerCase()))
  return one! - other! || (a > b ? -1 : 1)
}

/** Finds what the addresses of a site lead to, for everything that reads, hosts or delivers it. Pure, and from memory. */
export const createSiteLocator = ({ root, mount, files, rules }: LocatedSite) => {
  const [paths, clean, indexes] = [createNames(), createNames(), createNames()]
  const named: string[] = []
  const withoutEnding: string[] = []
  let hasQueries = false
  for (const { path: whole, type } of files) {
    const path = whole.slice(root.length)
    if (!whole.startsWith(root) || isHidden(path)) continue
    paths.add(path, path)
    hasQueries ||= path.includes('?')
    if (readPageEnding(path) !== '') named.push(path)
    else if (isPage({ type })) withoutEnding.push(path)
  }
  for (const path of withoutEnding) clean.add(path, path)
  for (const path of named.toSorted(comparePages)) {
    const bare = path.slice(0, -readPageEnding(path).length)
    clean.add(bare, path)
    if (/(?:^|\/)index$/i.test(bare)) indexes.add(bare.slice(0, -'index'.length), path)
  }
  const matcher = createRuleMatcher(rules.rules)
  const isFolder = (path: string) => path === '' || path.endsWith('/')
  const findPlain = (path: string) => (isFolder(path) ? indexes.find(path) : (paths.find(path) ?? clean.find(path)))
  /** Crawlers save `/a.css?v=2` as a file with that name. */
  const findFile = (path: string, query: string): string | undefined => {
    if (!hasQueries || query === '') return findPlain(path)
    const file = isFolder(path) ? `${path}index.html` : path
    return findPlain(`${file}?${query}`) ?? findPlain(`${file}?${decodeAddress(query) ?? query}`) ?? findPlain(path)
  }
  /** The page whose address has a slash more or less. */
  const findSlashed = (path: string) => (isFolder(path) ? clean.find(path.slice(0, -1)) : indexes.find(`${path}/`))
  const withMount = (to: string) => (to.startsWith('/') ? mount.slice(0, -1) + to : to)

  /** The nearest 404 page. */
  const findMissing = (path: string, status: 404 | 410 = 404): Located => {
    for (let end = path.slice(0, maxPathChars).lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end + 1)
      const page = clean.find(`${folder}404`) ?? indexes.find(`${folder}404/`)
      if (page !== undefined) return { kind: 'file', status, path: root + page }
      if (end <= 0) return { kind: 'not_found', status }
    }
  }

  /** True for a URL that asks the same host for the same address again. */
  const isSelf = (to: string, address: string, host: string | undefined) => {
    const url = URL.parse(to)
    return url !== null && url.host === host && [address, withMount(address)].includes(url.pathname)
  }

  const follow = ({ rule, to }: MatchedRule, address: string, path: string, { query, host }: Asked): Located => {
    const { status } = rule
    if (status !== 200 && status !== 404 && status !== 410) {
      // A rule that reads the query says what becomes of it.
      const isWhole = rule.query !== undefined
      if (!isWhole && (to === address || isSelf(to!, address, host))) return findMissing(path)
      return { kind: 'redirect', status, to: addQuery(withMount(to!), isWhole ? '' : query), path: null }
    }
    const target = to === null ? null : decodeAddress(to.slice(1).split(/[?#]/, 1)[0]!)
    const file = target === null ? undefined : (findPlain(target) ?? findSlashed(target))
    if (file !== undefined) return { kind: 'file', status, path: root + file, isByRule: true }
    return findMissing(path, status === 200 ? 404 : status)
  }

  const locateBelow = (address: string, decoded: string, asked: Asked): Located => {
    const { query } = asked
    const path = decoded.slice(1)
    const forced = matcher.find(address, decoded, query, true)
    if (forced !== null) return follow(forced, address, path, asked)
    const file = findFile(path, query)
    if (file !== undefined) return { kind: 'file', status: 200, path: root + file }
    // Relative links of a page count from its folder, so each page has one address.
    const page = findSlashed(path)
    if (page !== undefined) {
      const to = withMount(escapeLocation(isFolder(path) ? address.replace(/(?:\/|%2f)$/i, '') : `${address}/`))
      return { kind: 'redirect', status: 308, to: addQuery(to, query), path: root + page }
    }
    const rule = matcher.find(address, decoded, query)
    return rule === null ? findMissing(path) : follow(rule, address, path, asked)
  }

  /** `address` is encoded, such as `/docs/guide/`. `host` is the one that a reader asked, where that is known. */
  const resolve = (address: string, { query = '', host }: Partial<Asked> = {}): Located => {
    const asked = { query, host }
    const decoded = decodeAddress(address)
    // Browsers would read the redirect of such an address as another host.
    if (decoded === null || !isOwnAddress(decoded) || /[\0\\]/.test(decoded)) return findMissing('')
    if (mount === '/') return locateBelow(address, decoded, asked)
    if (decoded.startsWith(mount)) {
      const below = decoded.slice(mount.length - 1)
      if (!isOwnAddress(below)) return findMissing('')
      return locateBelow(
        address.startsWith(mount) ? address.slice(mount.length - 1) : encodeAddress(below),
        below,
        asked,
      )
    }
    const isMount = `${decoded}/` === mount
    const found = locateBelow(isMount ? '/' : address, isMount ? '/' : decoded, asked)
    if (found.kind === 'not_found' || (found.kind === 'file' && found.status !== 200)) return found
    // For now, because the next release may be built for another place.
    const to = addQuery(isMount ? mount : withMount(escapeLocation(address)), query)
    return { kind: 'redirect', status: 302, to, path: found.path }
  }

  return {
    resolve,
    /** The address that readers see for a file of the bundle, below the mount. */
    findAddress: (path: string): string => {
      const below = path.slice(root.length)
      const address = toAddress(below)
      return findPlain(decodeAddress(address)?.slice(1) ?? '') === below ? address : toFileAddress(below)
    },
    /** Headers that the bundle wants for an address. A header of several rules has all their values. */
    findHeaders: (address: string): Record<string, string> => {
      const found: Record<string, string> = {}
      const decoded = decodeAddress(address) ?? address
      const below = decoded.startsWith(mount) ? decoded.slice(mount.length - 1) : decoded
      for (const { before, after, headers } of rules.headers) {
        const isMatch =
          after === null
            ? below === before
            : below.length >= before.length + after.length && below.startsWith(before) && below.endsWith(after)
        for (const [name, value] of isMatch ? headers : [])
          found[name] = found[name] === undefined ? value : `${found[name]}, ${value}`
      }
      return found
    },
  }
}

export const createManifestLocator = ({
  root,
  mount = '/',
  files,
  redirects,
  rules = readEarlierRules(redirects),
}: Pick<Manifest, 'root' | 'mount' | 'files' | 'redirects' | 'rules'>): SiteLocator =>
  createSiteLocator({ root, mount, files, rules })

export type SiteLocator = ReturnType<typeof createSiteLocator>
