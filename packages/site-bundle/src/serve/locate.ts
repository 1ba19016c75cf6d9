import type { SiteFile, StoredSite } from '#open-site.ts'
import { isHidden } from './hidden-files.ts'
import { escapeLocation, readRedirectRules, removeEndSlash } from './redirect-rules.ts'

export type SiteRules = { root: string; redirects: readonly { from: string; to: string }[] }

/** `to` is an address of the site, or a URL when a rule of the bundle names one. */
export type Located =
  | { kind: 'file'; status: 200 | 404; file: SiteFile }
  | { kind: 'redirect'; status: 302 | 308; to: string }
  | { kind: 'nothing' }

const decodeAddress = (address: string): string | null => {
  try {
    return decodeURIComponent(address)
  } catch {
    return null
  }
}

/** Target of the first rule for an address. `/old/*` matches everything below, and `:splat` repeats that part as it was asked for. */
const findRedirect = (redirects: SiteRules['redirects'], address: string, decoded: string): string | null => {
  const { exact, prefixes } = readRedirectRules(redirects)
  const to = exact.get(removeEndSlash(decoded))
  if (to !== undefined) return to
  for (const { from, before, after } of prefixes) {
    if (!decoded.startsWith(from)) continue
    const rest = address
      .split('/')
      .slice(from.split('/').length - 1)
      .join('/')
    if (rest.startsWith('/') || decodeAddress(rest) !== decoded.slice(from.length)) continue
    return after === null ? before : before + escapeLocation(rest) + after
  }
  return null
}

/** The file, a clean address of it, a redirect of the bundle, or the 404 page. `address` is encoded, such as `/guide/`. */
export const locateAddress = async (
  site: Pick<StoredSite, 'find'>,
  { root, redirects }: SiteRules,
  address: string,
): Promise<Located> => {
  const decoded = decodeAddress(address)
  // Browsers would read the redirect of such an address as another host.
  if (decoded === null || !/^\/(?![/\\])/.test(decoded) || /[\0\\]/.test(decoded)) return { kind: 'nothing' }
  const find = (path: string) => site.find(root + path)
  const path = decoded.slice(1)
  const isFolder = path === '' || path.endsWith('/')

  const missing = async (): Promise<Located> => {
    const page = (await find('404.html')) ?? (await find('404/index.html'))
    return page === null ? { kind: 'nothing' } : { kind: 'file', status: 404, file: page }
  }
  if (isHidden(path)) return missing()
  const file = (await find(isFolder ? `${path}index.html` : path)) ?? (isFolder ? null : await find(`${path}.html`))
  if (file !== null) return { kind: 'file', status: 200, file }
  // Relative links of a page count from its folder, so each page has one address.
  if (isFolder && path !== '' && (await find(`${path.slice(0, -1)}.html`)) !== null)
    return { kind: 'redirect', status: 308, to: address.slice(0, -1) }
  if (!isFolder && (await find(`${path}/index.html`)) !== null)
    return { kind: 'redirect', status: 308, to: `${address}/` }
  const to = findRedirect(redirects, address, decoded)
  if (to !== null) return { kind: 'redirect', status: 302, to }
  return missing()
}
