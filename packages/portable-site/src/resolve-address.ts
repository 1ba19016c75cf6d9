import { posix } from 'node:path'
import type { Use } from '@docket/site-bundle/check/reference'
import type { OpenedContent } from '@docket/site-bundle/check/site-content'
import { decodeAddress, siteOrigin, splitTarget } from '@docket/site-bundle/locator/addresses'
import { toFileAddress } from '@docket/site-bundle/locator/page-address'

/** What an address leads to. `href` of a file is relative to the file that has the address. */
export type Resolved =
  | { kind: 'kept' }
  | { kind: 'file'; path: string; href: string }
  /** Nothing is there. `href` leads to the same place wherever the bundle is; null if the address does so by itself. */
  | { kind: 'missing'; href: string | null }
  | { kind: 'outside'; url: URL }
  /** A page that is not in this bundle. */
  | { kind: 'unwanted'; url: URL | null }

/** A file of the site, and the address that its relative addresses count from. */
export type Place = {
  path: string
  base: string
  /** A page that hosts show at any address, so that its addresses begin at the root of the host. */
  isAnywhere?: boolean
}

const maxHops = 8

/** Relative link between files of a bundle, as an address. */
export const toRelative = (from: string, to: string): string => {
  const href = toFileAddress(posix.relative(posix.dirname(from), to))
    .slice(1)
    .replaceAll("'", '%27')
  // A colon would end a scheme.
  return /^[^/]*:/.test(href) ? `./${href}` : href
}

type Resolving = {
  content: Pick<OpenedContent, 'locator' | 'siteLocator' | 'mount' | 'root'>
  origins: ReadonlySet<string>
  addresses: ReadonlyMap<string, string> | undefined
  isWanted: (path: string) => boolean
  /** Address that a page redirects to, without waiting. */
  findRedirect: (path: string) => string | null
}

export const createResolver = ({ content, origins, addresses, isWanted, findRedirect }: Resolving) => {
  const { locator, siteLocator, mount, root } = content
  /** Crawled files are where their address says. */
  const ownAddresses = new Map<string, string>()
  for (const [address, path] of addresses ?? []) if (!ownAddresses.has(path)) ownAddresses.set(path, address)
  const toBase = (path: string): string => {
    const address = ownAddresses.get(path)
    return address === undefined ? locator.toBase(path) : new URL(address, siteOrigin).href
  }
  const [publicOrigin] = origins

  const toHref = (from: Place, to: string) => (from.isAnywhere === true ? toFileAddress(to) : toRelative(from.path, to))

  const findFile = (url: URL): string | null => {
    const crawled = addresses?.get(url.pathname + url.search) ?? addresses?.get(url.pathname)
    if (crawled !== undefined) return crawled
    const found = locator.locate(url.pathname + url.search, locator.toBase(''))
    return found.kind === 'file' ? found.path : null
  }

  /** Follows redirects of rules and of pages. */
  const find = (
    address: string,
    base: string,
    follows: boolean,
  ): { path: string; url: URL; fragment: string } | URL | null => {
    let { fragment } = splitTarget(address)
    let url = URL.parse(splitTarget(address).address, base)
    for (let hop = 0; ; hop += 1) {
      if (url === null) return null
      if (url.origin !== siteOrigin && !origins.has(url.origin)) return url
      const path = findFile(url)
      const rule = path === null ? siteLocator.resolve(url.pathname, { query: url.search.slice(1) }) : null
      const to = path === null ? (rule?.kind === 'redirect' ? rule.to : null) : follows ? findRedirect(path) : null
      if (to === null || hop >= maxHops) return path === null ? url : { path, url, fragment }
      const next = splitTarget(to)
      url = URL.parse(next.address, path === null ? url : toBase(path))
      fragment = next.fragment || fragment
    }
  }

  const resolve = (address: string, from: Place, use: Use, base = from.base): Resolved => {
    if (/^\s*(?:#|$)/.test(address) && base === from.base) return { kind: 'kept' }
    const found = find(address.trim(), base, use === 'link' || use === 'redirect' || use === 'form' || use === 'frame')
    if (found === null) return { kind: 'kept' }
    if (found instanceof URL) {
      if (found.origin === siteOrigin) return resolveMissing(address, found, from, { base, use })
      return /^(?:https?|wss?|ftp):$/.test(found.protocol)
        ? { kind: 'outside', url: withFragment(found, address) }
        : { kind: 'kept' }
    }
    const { path, url, fragment } = found
    if (!isWanted(path))
      return {
        kind: 'unwanted',
        url: publicOrigin === undefined ? null : new URL(url.pathname + url.search + fragment, publicOrigin),
      }
    const isSame = path === from.path && url.search === '' && fragment !== ''
    const isNamed = path.includes('?') || ownAddresses.get(path)?.includes('?') === true
    const href = (isSame ? '' : toHref(from, path)) + (isNamed ? '' : url.search) + fragment
    const isRelative = base === from.base && from.isAnywhere !== true && !/^\s*(?:\/|\\|[a-z][\w+.-]*:)/i.test(address)
    const plain = URL.parse(address, base)
    if (
      isRelative &&
      plain !== null &&
      !ownAddresses.has(from.path) &&
      decodeAddress(plain.pathname) === mount + path &&
      !path.includes('?')
    )
      return { kind: 'kept' }
    return { kind: 'file', path, href: href === '' ? posix.basename(from.path) : href }
  }

  const withFragment = (url: URL, address: string) => {
    const whole = new URL(url.href)
    whole.hash = splitTarget(address.trim()).fragment
    return whole
  }

  const resolveMissing = (
    address: string,
    url: URL,
    from: Place,
    { base, use }: { base: string; use: Use },
  ): Resolved => {
    const whole = withFragment(url, address)
    const below = `${url.pathname}/`.startsWith(mount) ? url.pathname.slice(mount.length) : null
    // A crawler leaves out pages that the site has.
    const isElsewhere = below === null || (addresses !== undefined && (use === 'link' || use === 'name'))
    if (isElsewhere && publicOrigin !== undefined)
      return { kind: 'outside', url: new URL(whole.pathname + whole.search + whole.hash, publicOrigin) }
    const isRelative = base === from.base && !ownAddresses.has(from.path) && !/^\s*[/\\]/.test(address)
    if (below === null) return { kind: 'kept' }
    if (isRelative) return { kind: 'missing', href: null }
    if (from.isAnywhere === true) return { kind: 'missing', href: whole.pathname + whole.search + whole.hash }
    const up = '../'.repeat(from.path.split('/').length - 1)
    return { kind: 'missing', href: `${up || './'}${below.replace(/^\/+/, '')}${whole.search}${whole.hash}` }
  }

  return {
    resolve,
    toHref,
    toPlace: (path: string): Place => ({ path, base: toBase(path), isAnywhere: mount === '/' && path === '404.html' }),
    /** Path that a page was built for, such as `/docs/guide/`. */
    toBuiltPath: (path: string): string => {
      const address = ownAddresses.get(path)
      return address === undefined
        ? mount.slice(0, -1) + siteLocator.findAddress(root + path)
        : address.split('?', 1)[0]!
    },
  }
}

export type Resolver = ReturnType<typeof createResolver>
