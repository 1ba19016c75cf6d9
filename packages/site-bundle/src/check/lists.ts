import { listElements, readText } from '#pages/html.ts'
import { parseXml } from '#pages/parse-page.ts'
import { parseJson } from '#parse-json.ts'
import type { Findings, NewPlace } from './collect-findings.ts'
import type { judgeReferences } from './judge-reference.ts'
import type { Reference, Use } from './reference.ts'
import type { OpenedContent } from './site-content.ts'
import type { Users } from './users.ts'

type Checking = { site: OpenedContent; users: Users; findings: Findings; judge: ReturnType<typeof judgeReferences> }

const maxEntries = 200_000

const readSitemap = (text: string): string[] =>
  listElements(parseXml(text))
    .filter(({ tagName }) => tagName === 'loc')
    .slice(0, maxEntries)
    .map((element) => readText(element).trim())

const addressNames = new Set(['location', 'url', 'href', 'permalink', 'uri', 'path', 'link', 'u'])

const readIndex = (value: unknown): string[] => {
  const addresses: string[] = []
  const stack = [value]
  for (let one = stack.pop(); one !== undefined && addresses.length < maxEntries; one = stack.pop()) {
    if (typeof one !== 'object' || one === null) continue
    for (const [name, child] of Object.entries(one)) {
      if (typeof child === 'string' && addressNames.has(name)) addresses.push(child)
      else if (typeof child === 'object' && child !== null) stack.push(child)
    }
  }
  return addresses
}

/** Pictures and addresses that an app manifest names. */
export const readManifest = (value: unknown): Reference[] => {
  const { icons, screenshots, shortcuts, ...rest } = (value ?? {}) as Record<string, unknown>
  const listed = [shortcuts].flat().map((one) => (one ?? {}) as Record<string, unknown>)
  const images = [icons, screenshots, ...listed.map((one) => one['icons'])].flat()
  const toReference = (use: Use, address: unknown): Reference[] =>
    typeof address === 'string' ? [{ use, address, excerpt: () => address, isOptional: use === 'name' }] : []
  return [
    ...images.flatMap((one) => toReference('icon', (one as { src?: unknown } | null | undefined)?.src)),
    ...[rest, ...listed].flatMap((one) => toReference('name', one['start_url'] ?? one['url'])),
  ]
}

export const checkLists = async ({ site, users, findings, judge }: Checking): Promise<void> => {
  const { locator } = site
  const toPlace = (path: string, text: string): NewPlace => ({
    page: null,
    path: site.find(path)?.path ?? path,
    excerpt: () => text,
  })
  const base = locator.toBase('')
  for (const path of site.pathsLike(/sitemap[^/]*\.xml$/i))
    for (const address of readSitemap((await site.readText(path)) ?? '')) {
      const url = URL.canParse(address) ? new URL(address) : null
      if (url === null || (site.ownOrigin !== null && url.origin !== site.ownOrigin)) continue
      const found = locator.locate(url.pathname + url.search, base)
      if (found.kind === 'missing') findings.add('sitemap-entry', found.address, toPlace(path, address))
    }

  for (const path of site.pathsLike(/(search[^/]*|(^|\/)search\/.*|(^|\/)index)\.json$/i)) {
    const addresses = readIndex(parseJson((await site.readText(path)) ?? ''))
    const located = addresses.map((address) => locator.locate(address, base))
    // A format in which most entries lead nowhere means something else by them.
    if (located.filter(({ kind }) => kind === 'file').length * 2 < addresses.length) continue
    for (const [place, found] of located.entries())
      if (found.kind === 'missing') findings.add('missing-result', found.address, toPlace(path, addresses[place] ?? ''))
  }

  for (const path of site.pathsLike(/(\.webmanifest|(^|\/)manifest\.json)$/i)) {
    judge(readManifest(parseJson((await site.readText(path)) ?? '')), {
      path,
      base: locator.toBase(path),
      isUnloaded: users.find(path, site.isPage).length === 0,
      toPlaces: (reference) => [toPlace(path, reference.address)],
    })
  }
}
