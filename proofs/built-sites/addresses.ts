import type { BuiltSite } from './build.ts'

const origin = 'http://site.invalid'
const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')
const readText = (content: string | Uint8Array | undefined) => Buffer.from(content ?? '').toString()

/** Each with the path that the site expects, and without it. */
const withMount = (mount: string, addresses: readonly string[]) =>
  addresses.flatMap((address) => [mount.slice(0, -1) + address, address])

/** Addresses that rules of a `_redirects` match. */
const listRedirected = (rules: string) =>
  rules.split('\n').flatMap((line) => {
    const from = line.split(' ', 1)[0]!.replaceAll(/:(\w+)/g, 'a-$1')
    return from.endsWith('*')
      ? ['', 'one', 'one/two/', '%C3%BC'].map((rest) => from.slice(0, -1) + rest)
      : [from, `${from}/`, `${from}?a=1`]
  })

/** Every file in the ways that readers ask for it, every redirect, and addresses that the site does not have. */
export const listAddresses = ({ files, mount }: BuiltSite): string[] => {
  const own = Object.keys(files).flatMap((path) => {
    const address = `/${encode(path)}`
    const bare = address.replace(/(?:\/index)?\.html?$|\/index\.xhtml$/, '')
    return [
      address,
      `${address}/`,
      `${address}?x=1`,
      bare,
      `${bare}/`,
      `${bare}/index.html`,
      `${bare}.html`,
      `${bare}/nowhere`,
    ]
  })
  const missing = [
    '/',
    '',
    '/nowhere',
    '/nowhere/',
    '/no/where.html',
    '/GUIDE/',
    '/.git/config',
    '/%E2%82%AC',
    '//guide',
  ]
  return withMount(mount, [...own, ...listRedirected(readText(files['_redirects'])), ...missing]).filter((address) =>
    address.startsWith('/'),
  )
}

/** Addresses of this site that its pages, styles and sitemaps name. */
export const listLinks = ({ files, mount }: BuiltSite): Set<string> => {
  const named = Object.entries(files).flatMap(([path, content]) => {
    const patterns = /\.html?$/.test(path)
      ? [/<[a-z][^>]*\s(?:href|src)=(?:"([^"]*)"|([^\s"'>]+))/g]
      : path.endsWith('.css')
        ? [/url\(["']?([^"')]+)/g]
        : /sitemap.*\.xml$/.test(path)
          ? [/<loc>https:\/\/docs\.example\.com([^<]*)/g]
          : []
    const base = `${origin}${mount}${encode(path)}`
    return patterns
      .flatMap((pattern) => [...readText(content).matchAll(pattern)])
      .map(([, quoted, plain = '']) => URL.parse((quoted ?? plain).replaceAll('&amp;', '&'), base))
      .flatMap((url) => (url?.origin === origin ? [url.pathname + url.search] : []))
  })
  return new Set(named)
}
