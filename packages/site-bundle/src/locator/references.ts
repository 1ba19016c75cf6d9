import { toFileAddress } from './page-address.ts'
import { decodeAddress, siteOrigin } from './addresses.ts'
import type { SiteLocator } from './locator.ts'

/** Paths are relative to the root of the site. */
export type Location =
  /** `isExact` is false when only some web servers find the file at this address. */
  | { kind: 'file'; path: string; isExact: boolean }
  | { kind: 'redirected' }
  | { kind: 'missing'; address: string }
  /** On the same host, but outside the folder that the site expects to be in. */
  | { kind: 'beside'; address: string }
  | { kind: 'outside'; url: URL }
  /** Nothing to load, such as mail, a telephone number or inline data. */
  | { kind: 'nothing' }
  | { kind: 'invalid' }

const maxCached = 20_000

const asksHost = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:'])

/** Reads references in the files of a site. */
export const createReferenceLocator = (
  { resolve }: Pick<SiteLocator, 'resolve'>,
  { root, mount }: { root: string; mount: string },
) => {
  const locatePath = ({ pathname, search }: URL): Location => {
    const found = resolve(pathname, { query: search.slice(1) })
    if (found.kind === 'file' && found.status === 200)
      return { kind: 'file', path: found.path.slice(root.length), isExact: true }
    const address = decodeAddress(pathname) ?? pathname
    const isBeside = !`${address}/`.startsWith(mount)
    if (found.kind === 'redirect')
      return found.path === null
        ? { kind: 'redirected' }
        : { kind: 'file', path: found.path.slice(root.length), isExact: !isBeside && !pathname.endsWith('/') }
    return isBeside ? { kind: 'beside', address } : { kind: 'missing', address: `/${address.slice(mount.length)}` }
  }

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
    const key = /^\s*(?:\?|$)/.test(bare) ? `${base}\n${bare}` : bare
    const known = cached.get(key)
    if (known !== undefined) return known
    const location = locateNow(bare, base)
    cached.set(key, location)
    return location
  }
  const locateNow = (address: string, base: string): Location => {
    const url = URL.parse(address, base)
    if (url === null) return { kind: 'invalid' }
    if (url.origin === siteOrigin) return locatePath(url)
    return asksHost.has(url.protocol) ? { kind: 'outside', url } : { kind: 'nothing' }
  }
  const toBase = (path: string) => new URL(`${mount.slice(0, -1)}${toFileAddress(path)}`, siteOrigin).href
  return { locate, toBase }
}

export type ReferenceLocator = ReturnType<typeof createReferenceLocator>
