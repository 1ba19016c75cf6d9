import { toFileAddress } from './page-address.ts'
import type { Redirects } from './read-redirects.ts'

/** Paths are relative to the root of the site. */
export type Location =
  /** `isExact` is false when only some web servers find the file at this address. */
  | { kind: 'file'; path: string; isExact: boolean }
  | { kind: 'redirected' }
  /** `similar` is a file whose path differs by case only. */
  | { kind: 'missing'; address: string; similar: string | null }
  /** On the same host, but outside the folder that the site expects to be in. */
  | { kind: 'beside'; address: string }
  | { kind: 'outside'; url: URL }
  /** Nothing to load, such as mail, a telephone number or inline data. */
  | { kind: 'nothing' }
  | { kind: 'invalid' }

const maxCached = 20_000

/** A host that no address names. */
const origin = 'http://site.invalid'

const decodeAddress = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const asksHost = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:'])

/** Reads addresses of a site that expects to be at `mount`, such as `/` or `/docs/`. */
export const createLocator = (site: { paths: ReadonlySet<string>; mount: string; redirects: Redirects }) => {
  const { paths, mount, redirects } = site
  let byFoldedPath: Map<string, string> | null = null
  const fold = (path: string) => path.normalize('NFC').toLowerCase()
  const findSimilar = (path: string) => {
    byFoldedPath ??= new Map([...paths].map((known) => [fold(known), known]))
    return byFoldedPath.get(fold(path)) ?? null
  }

  const findFile = (path: string, find: (candidate: string) => string | null) => {
    const bare = path.replace(/\/$/, '')
    const asFolder = bare === '' ? 'index.html' : `${bare}/index.html`
    const usual = path === bare && path !== '' ? [path, `${path}.html`, asFolder] : [asFolder]
    const unusual =
      path === bare ? (bare.endsWith('.html') ? [`${bare.slice(0, -5)}/index.html`] : []) : [`${bare}.html`]
    for (const [candidates, isExact] of [[usual, true] as const, [unusual, false] as const])
      for (const candidate of candidates) {
        const known = find(candidate)
        if (known !== null) return { path: known, isExact }
      }
    return null
  }
  const exactly = (candidate: string) => (paths.has(candidate) ? candidate : null)

  const locatePath = (pathname: string): Location => {
    const address = decodeAddress(pathname)
    if (redirects.matches(address)) return { kind: 'redirected' }
    if (!`${address}/`.startsWith(mount)) return { kind: 'beside', address }
    const path = address.slice(mount.length)
    const found = findFile(path, exactly)
    if (found !== null) return { kind: 'file', ...found }
    if (redirects.matches(`/${path}`)) return { kind: 'redirected' }
    const similar = findFile(path, findSimilar)?.path ?? null
    if (similar !== null && similar.normalize('NFC') === path.normalize('NFC'))
      return { kind: 'file', path: similar, isExact: true }
    return { kind: 'missing', address: `/${path}`, similar }
  }

  /** Resolved against a file of the site, or against its base. Throws for an invalid address. */
  const resolve = (address: string, base: string) => new URL(address, base)

  // Navigation repeats on every page, and pages come folder by folder.
  let [lastBase, lastFolder] = ['', '']
  const cached = new Map<string, Location>()
  const locate = (address: string, base: string): Location => {
    const mark = address.indexOf('#')
    const bare = mark === -1 ? address : address.slice(0, mark)
    if (base !== lastBase) {
      lastBase = base
      const folder = base.slice(0, base.lastIndexOf('/') + 1)
      if (folder !== lastFolder || cached.size > maxCached) cached.clear()
      lastFolder = folder
    }
    // An empty address or a query means the page itself.
    const key = bare === '' || /^\s*(\?|$)/.test(bare) ? `${base}\n${bare}` : bare
    const known = cached.get(key)
    if (known !== undefined) return known
    const location = locateNow(bare, base)
    cached.set(key, location)
    return location
  }
  const locateNow = (address: string, base: string): Location => {
    if (!URL.canParse(address, base)) return { kind: 'invalid' }
    const url = resolve(address, base)
    if (url.origin === origin) return locatePath(url.pathname)
    return asksHost.has(url.protocol) ? { kind: 'outside', url } : { kind: 'nothing' }
  }
  const toBase = (path: string) => new URL(`${mount.slice(0, -1)}${toFileAddress(path)}`, origin).href
  return { locate, toBase }
}

export type Locator = ReturnType<typeof createLocator>
