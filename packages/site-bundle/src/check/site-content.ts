import { parse } from 'parse5'
import type { BundleFile } from '#manifest.ts'
import { listElements, readAttribute } from '#pages/html.ts'
import { createLocator } from '#pages/locate.ts'
import { isPage } from '#pages/page-address.ts'
import { readRedirects } from '#pages/read-redirects.ts'
import { findRoot } from '#pages/site-root.ts'

export type SiteContent = {
  files: readonly BundleFile[]
  read: (path: string) => Promise<Buffer>
}

/** Larger files are not read: a parser takes many times their size. */
const maxTextBytes = 16 * 1024 * 1024
const sampledPages = 4

export const openContent = async ({ files, read }: SiteContent) => {
  const root = findRoot(files.map(({ path }) => path))
  const byPath = new Map(
    files.flatMap((file) => (file.path.startsWith(root) ? [[file.path.slice(root.length), file]] : [])),
  )
  const paths: ReadonlySet<string> = new Set(byPath.keys())
  const unread = new Set<string>()
  const readText = async (path: string): Promise<string | null> => {
    const file = byPath.get(path)
    if (file === undefined) return null
    if (file.sizeBytes <= maxTextBytes) return (await read(file.path)).toString('utf8')
    unread.add(file.path)
    return null
  }
  const redirects = readRedirects({ redirects: await readText('_redirects'), vercel: await readText('vercel.json') })
  const pagePaths = [...paths].filter(isPage).toSorted()
  const { addresses, ownOrigin } = await readSample(pagePaths, readText)
  const plain = createLocator({ paths, mount: '/', redirects })
  const exists = (path: string) => plain.locate(`/${path}`, plain.toBase('')).kind === 'file'
  const mount = findMount(addresses, exists)
  return {
    root,
    mount,
    ownOrigin,
    redirects: redirects.list,
    locator: createLocator({ paths, mount, redirects }),
    pagePaths,
    pathsLike: (pattern: RegExp) => [...paths].filter((path) => pattern.test(path)).toSorted(),
    /** Null for a file that is missing or too large. */
    readText,
    find: (path: string) => byPath.get(path) ?? null,
    unread,
  }
}

export type OpenedContent = Awaited<ReturnType<typeof openContent>>

/** Reads enough pages to know what an address of the whole site means. */
const readSample = async (pagePaths: readonly string[], readText: (path: string) => Promise<string | null>) => {
  const addresses: string[] = []
  const origins: string[] = []
  const first = ['index.html', '404.html'].filter((path) => pagePaths.includes(path))
  for (const path of new Set([...first, ...pagePaths.slice(0, sampledPages)])) {
    for (const element of listElements(parse((await readText(path)) ?? ''))) {
      for (const { name, value } of element.attrs) if (name === 'href' || name === 'src') addresses.push(value)
      const isCanonical = element.tagName === 'link' && readAttribute(element, 'rel') === 'canonical'
      const isOwn = isCanonical || readAttribute(element, 'property') === 'og:url'
      const address = isOwn ? (readAttribute(element, isCanonical ? 'href' : 'content') ?? '') : ''
      if (/^https?:/i.test(address) && URL.canParse(address)) origins.push(new URL(address).origin)
    }
  }
  const usual = origins.toSorted()[Math.floor(origins.length / 2)] ?? null
  return { addresses, ownOrigin: usual }
}

const listMountsAbove = (path: string) => {
  const parts = path.split('/').slice(1, -1).slice(0, 4)
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
