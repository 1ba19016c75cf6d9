import type { SiteFile, StoredSite } from '#open-site.ts'

/** Where a site begins in its bundle, and where its own rules redirect to. */
export type SiteRules = { root: string; redirects: readonly { from: string; to: string }[] }

/** What an address of a site leads to. `to` is an address of the site, or a URL when a rule of the bundle names one. */
export type Located =
  | { kind: 'file'; status: 200 | 404; file: SiteFile }
  | { kind: 'redirect'; status: 302 | 308; to: string }
  | { kind: 'nothing' }

const decode = (address: string): string | null => {
  try {
    return decodeURIComponent(address)
  } catch {
    return null
  }
}

const withoutSlash = (address: string) => (address.length > 1 ? address.replace(/\/$/, '') : address)

/** Target of the first rule for an address. `/old/*` matches everything below, and `:splat` repeats that part. */
const findRedirect = (redirects: SiteRules['redirects'], address: string): string | null => {
  for (const { from, to } of redirects) {
    if (withoutSlash(from) === withoutSlash(address)) return to
    if (from.endsWith('/*') && address.startsWith(from.slice(0, -1)))
      return to.replace(':splat', address.slice(from.length - 1))
  }
  return null
}

/**
 * Finds what an address leads to: the file itself, `index.html` or `.html` for clean addresses, a redirect of the bundle, or its 404 page.
 * `address` is the encoded path of a request, such as `/guide/`.
 */
export const locateAddress = async (
  site: Pick<StoredSite, 'find'>,
  { root, redirects }: SiteRules,
  address: string,
): Promise<Located> => {
  const decoded = decode(address)
  // Browsers would read the redirect of such an address as another host.
  if (decoded === null || !/^\/(?![/\\])/.test(decoded) || /[\0\\]/.test(decoded)) return { kind: 'nothing' }
  const find = (path: string) => site.find(root + path)
  const path = decoded.slice(1)
  const isFolder = path === '' || path.endsWith('/')

  const file = (await find(isFolder ? `${path}index.html` : path)) ?? (isFolder ? null : await find(`${path}.html`))
  if (file !== null) return { kind: 'file', status: 200, file }
  // Relative links of a page count from its folder, so each page has one address.
  if (isFolder && path !== '' && (await find(`${path.slice(0, -1)}.html`)) !== null)
    return { kind: 'redirect', status: 308, to: address.slice(0, -1) }
  if (!isFolder && (await find(`${path}/index.html`)) !== null)
    return { kind: 'redirect', status: 308, to: `${address}/` }
  const to = findRedirect(redirects, decoded)
  if (to !== null) return { kind: 'redirect', status: 302, to }
  const missing = (await find('404.html')) ?? (await find('404/index.html'))
  return missing === null ? { kind: 'nothing' } : { kind: 'file', status: 404, file: missing }
}
