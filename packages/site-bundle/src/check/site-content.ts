import type { BundleFile } from '#manifest.ts'
import { listElements, readAttribute } from '#pages/html.ts'
import { parseBundleRules, ruleFiles } from '#locator/bundle-rules.ts'
import { createSiteLocator } from '#locator/locator.ts'
import { createReferenceLocator } from '#locator/references.ts'
import { isPage } from '#locator/page-address.ts'
import { parsePage } from '#pages/parse-page.ts'
import { findRoot } from '#pages/site-root.ts'
import { decodeText } from '#text-encoding.ts'

export type SiteContent = {
  files: readonly BundleFile[]
  read: (path: string) => Promise<Buffer>
}

/** Larger files are not read: a parser takes many times their size. */
const maxTextBytes = 16 * 1024 * 1024
const sampledPages = 4

/** The file may declare its encoding. */
const isMarkup = (file: BundleFile) => isPage(file) || /[/+]xml$|\/css$/.test(file.type)

/** `place` says more of the site than its files do: where it is for, and the origins that its pages name as their own. */
export const openContent = async (
  { files, read }: SiteContent,
  place: { mount?: string | null; origins?: readonly string[] } = {},
) => {
  const root = findRoot(files)
  const byPath = new Map(
    files.flatMap((file) => (file.path.startsWith(root) ? [[file.path.slice(root.length), file]] : [])),
  )
  const paths: ReadonlySet<string> = new Set(byPath.keys())
  const unread = new Set<string>()
  const readText = async (path: string, content?: Buffer): Promise<string | null> => {
    const file = byPath.get(path)
    if (file === undefined) return null
    if (file.sizeBytes <= maxTextBytes)
      return decodeText(content ?? (await read(file.path)), isMarkup(file) && file.charset !== 'utf-8')
    unread.add(file.path)
    return null
  }
  const isPagePath = (path: string) => isPage(byPath.get(path) ?? { type: '' })
  const pagePaths = [...paths].filter(isPagePath).toSorted()
  const { addresses, publicUrls, ownOrigin } = await readSample(pagePaths, readText)
  const plain = createSiteLocator({ root, mount: '/', files, rules: { rules: [], headers: [] } })
  const toOwnPath = (address: string) => {
    const own = place.origins?.find((origin) => address.startsWith(`${origin}/`))
    return own === undefined ? address : address.slice(own.length)
  }
  const mount = place.mount ?? findMount(addresses.map(toOwnPath), (path) => plain.resolve(`/${path}`).status < 400)
  const rules = parseBundleRules(
    {
      redirects: await readText(ruleFiles.redirects),
      vercel: await readText(ruleFiles.vercel),
      headers: await readText(ruleFiles.headers),
    },
    mount,
  )
  const siteLocator = createSiteLocator({ root, mount, files, rules })
  const pathsTyped = (type: string) => [...paths].filter((path) => byPath.get(path)!.type === type).toSorted()
  const locator = createReferenceLocator(siteLocator, { root, mount })
  const ownPaths = publicUrls.filter(({ origin }) => origin === ownOrigin).map(({ pathname }) => pathname)
  const found = ownPaths.filter((path) => locator.locate(path, locator.toBase('')).kind === 'file')
  // Pages link to each other many times.
  const known = new Map<string, string>()
  const toAddress = (path: string) => {
    const address = known.get(path) ?? siteLocator.findAddress(root + path)
    known.set(path, address)
    return address
  }
  return {
    root,
    mount,
    ownOrigin,
    rules,
    siteLocator,
    toAddress,
    hasFolder: (folder: string) => [...paths].some((path) => path.startsWith(folder)),
    isAtOwnOrigin: found.length * 2 > ownPaths.length,
    locator,
    pagePaths,
    isPage: isPagePath,
    sheetPaths: pathsTyped('text/css'),
    scriptPaths: pathsTyped('text/javascript'),
    pathsLike: (pattern: RegExp) => [...paths].filter((path) => pattern.test(path)).toSorted(),
    /** Null for a file that is missing or too large. Callers that have read it pass its `content`. */
    readText,
    find: (path: string) => byPath.get(path) ?? null,
    unread,
  }
}

export type OpenedContent = Awaited<ReturnType<typeof openContent>>

/** Reads enough pages to know what an address of the whole site means. */
const readSample = async (pagePaths: readonly string[], readText: (path: string) => Promise<string | null>) => {
  const addresses: string[] = []
  const publicUrls: URL[] = []
  const first = ['index.html', '404.html'].filter((path) => pagePaths.includes(path))
  for (const path of new Set([...first, ...pagePaths.slice(0, sampledPages)])) {
    for (const element of listElements(parsePage((await readText(path)) ?? '', path))) {
      for (const { name, value } of element.attrs) if (name === 'href' || name === 'src') addresses.push(value)
      const isCanonical = element.tagName === 'link' && readAttribute(element, 'rel') === 'canonical'
      const isOwn = isCanonical || readAttribute(element, 'property') === 'og:url'
      const address = isOwn ? (readAttribute(element, isCanonical ? 'href' : 'content') ?? '') : ''
      if (/^https?:/i.test(address) && URL.canParse(address)) publicUrls.push(new URL(address))
    }
  }
  const origins = publicUrls.map(({ origin }) => origin).toSorted()
  return { addresses, publicUrls, ownOrigin: origins[Math.floor(origins.length / 2)] ?? null }
}

const listMountsAbove = (path: string) => {
  const parts = path.split('/').slice(1, -1).slice(0, 4)
  if (!parts.every((part) => /^\w[\w.~-]*$/.test(part))) return []
  return parts.map((_, place) => `/${parts.slice(0, place + 1).join('/')}/`)
}

/** The path that leads most root-absolute addresses to files, such as `/docs/`. `/` unless another one is better. */
const findMount = (addresses: readonly string[], exists: (path: string) => boolean): string => {
  const paths = addresses
    .filter((address) => /^\/(?!\/)/.test(address))
    .map((address) => address.split(/[?#]/, 1)[0]!)
    .slice(0, 2_000)
  const count = (mount: string) =>
    paths.filter((path) => path.startsWith(mount) && path !== mount && exists(path.slice(mount.length))).length
  let best = { mount: '/', hits: count('/') }
  for (const mount of new Set(paths.flatMap(listMountsAbove))) {
    const hits = count(mount)
    if (hits > best.hits) best = { mount, hits }
  }
  return best.mount
}
