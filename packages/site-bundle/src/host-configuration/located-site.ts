import { decodeAddress, readOwnAddress } from '#locator/addresses.ts'
import { isHidden } from '#locator/hidden-files.ts'
import { createSiteLocator, type LocatedSite } from '#locator/locator.ts'
import { readPattern, isExact, type RulePattern } from '#locator/rule-matcher.ts'
import type { Rule } from '#site-rules.ts'
import { listForms } from './text.ts'

/** Endings of pages that servers try in this order, behind an address and behind `index`. */
export const pageEndings = ['.html', '.htm', '.xhtml'] as const

/** A rule for addresses below the path of the site. `page`: the file that it answers with, when that depends on no address. */
export type HostedRule = Rule & RulePattern & { page: string | null }

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

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

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
const listNames = (path: string): string[] => {
  const bare = path.replace(/\.x?html?$/i, '')
  const folder = bare.replace(/(^|\/)index$/i, '$1')
  return [path, `${path}/`, bare, `${bare}/`, folder, folder.replace(/\/$/, '')]
}

const nowhere = '\u{10fffd}'

export const describeLocatedSite = (site: LocatedSite, paths: ReadonlySet<string>): LocatedParts => {
  const { root } = site
  const plain = createSiteLocator({ ...site, mount: '/', rules: { rules: [], headers: [] } })
  const resolve = (address: string, query = '') => plain.resolve(`/${encodePath(address)}`, { query })
  const exceptions = new Map<string, string>()
  const queried: LocatedParts['queried'][number][] = []
  const folders = new Set([''])
  for (const path of paths) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end + 1))
    for (const address of new Set(listNames(path).flatMap(listForms))) {
      const located = resolve(address)
      const found =
        located.kind === 'redirect'
          ? '/'
          : located.kind === 'file' && located.status === 200
            ? located.path.slice(root.length)
            : null
      if (found !== null && found !== findAsServer(paths, address)) exceptions.set(address, found)
    }
    const [name = '', query] = path.split(/\?(.*)/s, 2)
    for (const asked of query === undefined ? [] : new Set([query, query.replace(/\.x?html?$/i, '')]))
      for (const address of new Set([name, name.replace(/(^|\/)index\.html$/, '$1')])) {
        const located = resolve(address, encodeURIComponent(asked))
        if (located.kind === 'file' && located.status === 200)
          queried.push({ address, query: asked, file: located.path.slice(root.length) })
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
    const isRedirect = rule.status >= 300 && rule.status < 400
    const own = isRedirect || rule.to === null ? null : readOwnAddress(rule.to)
    const target = own === null ? null : decodeAddress(own.split(/[?#]/, 1)[0]!)
    const located = target === null ? null : resolve(target.slice(1))
    const page =
      located?.kind === 'redirect'
        ? located.path!.slice(root.length)
        : located?.kind === 'file' && located.status === 200
          ? located.path.slice(root.length)
          : null
    const to =
      isRedirect && isExact(pattern) && rule.to!.startsWith('/') ? (readOwnAddress(rule.to!) ?? rule.to) : rule.to
    return [{ ...rule, ...pattern, to, page }]
  })
  return {
    exceptions,
    queried,
    rules: [...rules.filter(isExact), ...rules.filter((rule) => !isExact(rule))],
    missing: missing.toSorted((a, b) => b.folder.length - a.folder.length),
  }
}

/** Files that readers get, below the root of the site. */
export const listServedPaths = ({ root, files }: Pick<LocatedSite, 'root' | 'files'>): Set<string> =>
  new Set(
    files
      .flatMap(({ path }) => (path.startsWith(root) ? [path.slice(root.length)] : []))
      .filter((path) => !isHidden(path)),
  )
