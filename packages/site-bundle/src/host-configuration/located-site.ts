import { decodeAddress, encodeAddress, readOwnAddress, removeEndSlash, splitTarget } from '#locator/addresses.ts'
import { isHidden } from '#locator/hidden-files.ts'
import { createSiteLocator, type LocatedSite } from '#locator/locator.ts'
import { isExact, isRedirect, readPattern, type RulePattern } from '#locator/rule-matcher.ts'
import type { Rule } from '#site-rules.ts'
import { listForms } from './text.ts'

/** Endings of pages that servers try in this order, behind an address and behind `index`. */
export const pageEndings = ['.html', '.htm', '.xhtml'] as const

/** A rule for addresses below the path of the site. One with status 200 has a page. */
export type HostedRule = Rule &
  RulePattern & {
    /** Empty for the first page, and without a slash at its end. Null for a pattern. */
    exact: string | null
    /** The file that it answers with, when that depends on no address. */
    page: string | null
    /** Where it redirects to, with the path of the site. */
    target: ReturnType<typeof splitTarget> | null
  }

/** What the locator of a site says beyond the files and the endings that servers try. Addresses are decoded, and without their first slash. */
export type LocatedParts = {
  /** File at an address, or `/` for a redirect to the same with a slash more or less. */
  exceptions: ReadonlyMap<string, string>
  /** File at an address with a query, as crawlers save them. */
  queried: readonly { address: string; query: string; file: string }[]
  /** Rules for addresses first, then patterns, each in the order of the bundle. */
  rules: readonly HostedRule[]
  /** Folders with a page of their own for unknown addresses, the deepest first. */
  missing: readonly { folder: string; page: string }[]
}

/** Finds a file and a slash as servers do. */
const findAsServer = (paths: ReadonlySet<string>, address: string): string | null => {
  const isFolder = address === '' || address.endsWith('/')
  const names = isFolder
    ? pageEndings.map((ending) => `${address}index${ending}`)
    : ['', ...pageEndings].map((ending) => address + ending)
  const slashed = pageEndings.map((ending) => (isFolder ? address.slice(0, -1) : `${address}/index`) + ending)
  return names.find((name) => paths.has(name)) ?? (slashed.some((name) => paths.has(name)) ? '/' : null)
}

/** Addresses that could lead to a file. */
const listAddresses = (path: string): string[] => {
  const bare = path.replace(/\.x?html?$/i, '')
  const folder = bare.replace(/(^|\/)index$/i, '$1')
  return [path, `${path}/`, bare, `${bare}/`, folder, folder.replace(/\/$/, '')]
}

const nowhere = '\u{10fffd}'

export const describeLocatedSite = (site: LocatedSite, paths: ReadonlySet<string>): LocatedParts => {
  const { root } = site
  const plain = createSiteLocator({ ...site, mount: '/', rules: { rules: [], headers: [] } })
  const resolve = (address: string, query = '') => plain.resolve(`/${encodeAddress(address)}`, { query })
  /** The file at an address, or at the same with a slash more or less. */
  const find = (address: string, query = '') => {
    const located = resolve(address, query)
    const isFound = located.kind === 'redirect' || (located.kind === 'file' && located.status === 200)
    return { isSlashed: located.kind === 'redirect', file: isFound ? located.path!.slice(root.length) : null }
  }
  const exceptions = new Map<string, string>()
  const queried: LocatedParts['queried'][number][] = []
  const folders = new Set([''])
  for (const path of paths) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end + 1))
    for (const address of new Set(listAddresses(path).flatMap(listForms))) {
      const { isSlashed, file } = find(address)
      const found = isSlashed ? '/' : file
      if (found !== null && found !== findAsServer(paths, address)) exceptions.set(address, found)
    }
    const [name = '', query] = path.split(/\?(.*)/s, 2)
    for (const asked of query === undefined ? [] : new Set([query, query.replace(/\.x?html?$/i, '')]))
      for (const address of new Set([name, name.replace(/(^|\/)index\.html$/, '$1')])) {
        const { isSlashed, file } = find(address, encodeURIComponent(asked))
        if (!isSlashed && file !== null) queried.push({ address, query: asked, file })
      }
  }
  const missing = [...folders].flatMap((folder) => {
    const located = resolve(folder + nowhere)
    const page = located.kind === 'file' ? located.path.slice(root.length) : null
    return page?.startsWith(folder) === true ? { folder, page } : []
  })
  const rules = site.rules.rules.flatMap((rule): HostedRule[] => {
    const pattern = readPattern(rule.from.normalize('NFC'))
    if (pattern === null) return []
    const redirects = isRedirect(rule)
    const own = rule.to === null ? null : readOwnAddress(rule.to)
    const path = redirects || own === null ? null : decodeAddress(own.split(/[?#]/, 1)[0]!)
    const page = path === null ? null : find(path.slice(1)).file
    const to = (redirects && isExact(pattern) ? own : null) ?? rule.to
    return [
      {
        ...rule,
        ...pattern,
        exact: isExact(pattern) ? removeEndSlash(rule.from).replace(/^\/$/, '') : null,
        to,
        status: rule.status === 200 && page === null ? 404 : rule.status,
        page,
        target: redirects ? splitTarget(to!.startsWith('/') ? site.mount.slice(0, -1) + to! : to!) : null,
      },
    ]
  })
  const everywhere = rules.find(({ parts, hasRest, status }) => parts.length === 0 && hasRest && status === 404)?.page
  return {
    exceptions,
    queried,
    rules: [...rules.filter(({ exact }) => exact !== null), ...rules.filter(({ exact }) => exact === null)],
    missing:
      typeof everywhere === 'string'
        ? [{ folder: '', page: everywhere }]
        : missing.toSorted((a, b) => b.folder.length - a.folder.length),
  }
}

/** Files that readers get, below the root of the site. */
export const listServedPaths = ({ root, files }: Pick<LocatedSite, 'root' | 'files'>): Set<string> =>
  new Set(
    files
      .flatMap(({ path }) => (path.startsWith(root) ? [path.slice(root.length)] : []))
      .filter((path) => !isHidden(path)),
  )
