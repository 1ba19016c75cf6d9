/** What is in a bundle, as far as it names addresses. Paths are relative to its root. */
export type Named = {
  /** Where the site is served: `/`, or such as `/manual/`. */
  mount: string
  paths: readonly string[]
  /** Texts of pages, by path. */
  pages: ReadonlyMap<string, string>
  /** Texts of `_redirects` and `vercel.json`. */
  rules: readonly string[]
  /** Addresses that *Pages* lists. */
  listed: readonly string[]
}

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const swapCase = (text: string) =>
  Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('')

/** Other spellings of an encoded address, some of which mean the same. */
const spell = (address: string): string[] => [
  address,
  address.replaceAll(/%[\dA-F]{2}/g, (one) => one.toLowerCase()),
  encode(decodeURIComponent(address).normalize('NFC')),
  encode(decodeURIComponent(address).normalize('NFD')),
  encode(swapCase(decodeURIComponent(address))),
  address.replace(/[a-z](?=[^/]*$)/, (one) => `%${one.charCodeAt(0).toString(16)}`),
  address.replace(/(.)\//, '$1%2F'),
  address.replaceAll('%20', '+'),
]

/** Ways in which people, servers and generators write the address of a file. */
const writeAddresses = (path: string): string[] => {
  const [, bare = path, isPage] = /^(.*?)(\.x?html?)?$/is.exec(path)!
  const folder = bare.replace(/(^|\/)index$/i, '$1')
  const written = [path, `${path}/`]
  if (isPage !== undefined) written.push(bare, `${bare}/`, `${bare}.html`, `${bare}.htm`, `${bare}/index.html`)
  if (folder !== bare) written.push(folder, folder.replace(/\/$/, ''), `${folder}index`, `${folder}INDEX.HTML`)
  const above = path.slice(0, path.lastIndexOf('/') + 1)
  written.push(above, above.replace(/\/$/, ''), `${above}nowhere`, `${above}nowhere/`, `${above}nowhere.html`)
  // Names of a crawler that became a query.
  const [name = '', query] = path.split(/\?(.*)/s, 2)
  return [
    ...written.flatMap((one) => spell(`/${encode(one)}`)),
    `/${encode(path)}?q=1`,
    ...(query === undefined ? [] : [`/${encode(name)}?${encode(query)}`]),
  ]
}

/** Addresses that a rule is for, with something for each of its patterns. */
const readSources = (rules: string): string[] => {
  const sources = rules.trimStart().startsWith('{')
    ? [...rules.matchAll(/"source":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`) as string)
    : rules.split('\n').flatMap((line) => /^\s*(\/\S*)/.exec(line)?.[1] ?? [])
  return sources.flatMap((source) =>
    ['one', '7', 'one/two', '%C3%BC%20x', 'index.html'].flatMap((rest) => {
      const plain = source.replace(/\(\.\*\)|:\w+\*|\*$/, rest).replaceAll(/:\w+(\([^)]*\))?/g, rest)
      return [plain, `${plain}/`, plain.replace(/\/$/, ''), `${plain}?id=7`, `${plain}?a=b&c=%20`, swapCase(plain)]
    }),
  )
}

/** Targets in `_redirects` and `vercel.json`. */
const readTargets = (rules: string): string[] =>
  [...rules.matchAll(/[\s"](\/[^\s"]*)/g)].map(([, target = '']) => target.replace(/#.*$/, ''))

const origin = 'http://site.invalid'

const always =
  '/_redirects /_headers /vercel.json /export-report.json /.git/config /.gitignore /404 /404.html /404/ /nowhere /favicon.ico /robots.txt /index /%E2%82%AC'.split(
    ' ',
  )

/** Null for an address that browsers would send in another way, or to another host. */
const normalize = (address: string): string | null => {
  const url = address.length > 1_000 ? null : URL.parse(address, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//')) return null
  try {
    decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  // Docket's own.
  return /^\/\.docket\/|%00|%5c/i.test(url.pathname) ? null : url.pathname + url.search
}

/**
 * Addresses that a bundle can name: of its files, links, clean addresses, rules and pages, in other spellings, and
 * some that it does not have.
 */
export const listAgreeAddresses = ({ mount, paths, pages, rules, listed }: Named): string[] => {
  const below = mount.slice(0, -1)
  const ofSite = [...paths.flatMap(writeAddresses), ...listed.map(encodeURI), ...rules.flatMap(readSources)]
  const links = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => {
      const url = URL.parse(link.replaceAll('&amp;', '&'), `${origin}${below}/${encode(path)}`)
      return url?.origin === origin ? url.pathname + url.search : null
    }),
  )
  const all = [
    ...ofSite.map((address) => below + address),
    ...(mount === '/' ? [] : [below, ...ofSite]),
    ...links.filter((link) => link !== null),
    ...rules.flatMap(readTargets),
    ...always,
  ]
  return [...new Set(all.flatMap((address) => normalize(address) ?? []))]
}
