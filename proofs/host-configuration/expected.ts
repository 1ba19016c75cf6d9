import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEarlierRules } from '#packages/site-bundle/src/locator/bundle-rules.ts'
import { createSiteLocator } from '#packages/site-bundle/src/locator/locator.ts'
import { readMediaType } from '#packages/site-bundle/src/media-type.ts'
import type { OpenedBundle } from './opened-bundle.ts'

/** A response, as far as every host must agree on it. `location` is resolved; `sha256` is of the body. */
export type Answer = { status: number; location: string | null; sha256: string | null; type: string | null }

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Ways to ask for the same: with and without its slash, and with a query. */
const variants = (address: string) => {
  const bare = address.replace(/(.)\/$/, '$1')
  return [bare, bare === '/' ? '/' : `${bare}/`]
}

/** Redirects within the site: a bundle may write the path that it expects to be at. */
const withoutMount = (redirects: readonly { from: string; to: string }[], mount: string) =>
  redirects.map(({ from, to }) => ({ from: from.startsWith(mount) ? from.slice(mount.length - 1) : from, to }))

/** Addresses of a bundle that readers ask for: pages, files, redirects, those of its sitemap, and some that it does not have. */
export const listAddresses = ({ manifest, folder, path: mount }: OpenedBundle): string[] => {
  const { root, files, pages } = manifest
  const redirects = withoutMount(manifest.redirects, mount)
  const paths = files.flatMap(({ path }) => (path.startsWith(root) ? [path.slice(root.length)] : []))
  const sitemaps = paths.filter((path) => /sitemap[^/]*\.xml$/.test(path))
  const listed = sitemaps.flatMap((path) =>
    [...readFileSync(join(folder, root, path), 'utf8').matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url = '']) => new URL(url, 'http://site.invalid').pathname,
    ),
  )
  const rules = redirects.flatMap(({ from }) => {
    const decoded = decode(from).toWellFormed()
    if (!decoded.endsWith('/*')) return variants(encode(decoded))
    const below = encode(decoded.slice(0, -1))
    return ['', 'one', 'one/two/', '%C3%BC%20x', '/evil.example', 'a%2Fb'].map((rest) => below + rest)
  })
  const asked = [
    ...pages.flatMap(({ path }) => {
      const file = path.slice(root.length)
      return [`/${encode(file)}`, ...variants(`/${encode(file.replace(/(^|\/)index\.html$|\.html$/, '$1'))}`)]
    }),
    ...paths.map((path) => `/${encode(path)}`),
    ...listed,
    ...rules,
    '/nowhere',
    '/nowhere/',
    '/guide/nowhere.html',
    '/GUIDE/',
    '/.git/config',
    '/assets/',
    '/assets',
    '/%E2%82%AC',
    '//evil.example',
    '//evil.example/',
    '//guide',
    '/old?a=1&b=%20',
    '/guide?x=y',
    '/asked?a=1',
    '/asked-deep?a=1',
  ]
  // Some servers refuse a zero byte before their configuration is asked.
  return [...new Set(asked)].filter((address) => !address.includes('%00'))
}

/** What Docket's hosting answers. `at` is the address of the site's path, such as `/handbook/x?y`. */
export const answerAsDocket = async (
  { manifest, path: mount }: OpenedBundle,
  address: string,
): Promise<Answer & { at: string }> => {
  const { root, files } = manifest
  const redirects = withoutMount(manifest.redirects, mount)
  const found = new Map(files.map((file) => [file.path, file]))
  const [path = '', query = ''] = address.split(/\?(.*)/s, 2)
  const below = mount.slice(0, -1)
  const withQuery = (to: string) => {
    const [plain = '', fragment] = to.split(/#(.*)/s, 2)
    const asked = query === '' ? plain : `${plain}${plain.includes('?') ? '&' : '?'}${query}`
    return fragment === undefined ? asked : `${asked}#${fragment}`
  }
  const located = createSiteLocator({ root, mount: '/', files, rules: readEarlierRules(redirects) }).resolve(path)
  const at = address.startsWith('//') ? address : below + address
  if (located.kind === 'not_found') return { at, status: 404, location: null, sha256: null, type: null }
  if (located.kind === 'redirect') {
    const to = /^https?:/.test(located.to) || located.to.startsWith(mount) ? located.to : below + located.to
    return { at, status: located.status, location: withQuery(to), sha256: null, type: null }
  }
  const { sha256, path: file } = found.get(located.path)!
  return { at, status: located.status, location: null, sha256, type: readMediaType(file) }
}
