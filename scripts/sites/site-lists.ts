import type { Fault } from './faults.ts'

type Files = ReadonlyMap<string, Buffer>

const leadsOn = /<meta http-equiv="refresh"|<title>Moved · /i

/** Pages that readers come to; not the page for wrong addresses, nor one that only leads on. */
export const readablePages = (files: Files): string[] =>
  [...files].flatMap(([name, content]) =>
    name.endsWith('.html') && name !== '404.html' && !leadsOn.test(content.toString('utf8', 0, 2_000)) ? [name] : [],
  )

/**
 * Entries of `sitemap.xml` that are no page of the site, and pages that have none. A site of no public address has no
 * sitemap.
 */
export const sitemapFaults = (files: Files): Fault[] => {
  const sitemap = files.get('sitemap.xml')
  if (sitemap === undefined) return []
  const entries = [...sitemap.toString('utf8').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
  const names = new Set<string>()
  const faults: Fault[] = []
  for (const address of entries) {
    const path = URL.canParse(address) ? decodeURI(new URL(address).pathname).slice(1).replace(/\/$/, '') : null
    const candidates = path === null ? [] : [path, `${path}.html`, path === '' ? 'index.html' : `${path}/index.html`]
    const found = candidates.find((name) => name.endsWith('.html') && files.has(name))
    if (found === undefined) faults.push({ page: 'sitemap.xml', kind: 'sitemap', what: address })
    else names.add(found)
  }
  const missing = readablePages(files).filter((page) => !names.has(page))
  return [...faults, ...missing.map((page): Fault => ({ page, kind: 'sitemap', what: 'is not in the sitemap' }))]
}

/** Scripts with the texts of the search, by name. */
export const searchTexts = (files: Files): [name: string, content: Buffer][] =>
  [...files].filter(([name]) => /^_docket\/search\/\d+\/pages-\d+\.js$/.test(name))

/** Entries of the search index that are no page, and pages that it does not know. */
export const searchFaults = (files: Files): Fault[] => {
  const texts = searchTexts(files)
  if (texts.length === 0) return []
  const found = new Set(
    texts.flatMap(([, script]) => {
      const [, data = '[]'] = /^docketSearch\("[^"]*",([\s\S]*)\)\s*$/.exec(script.toString('utf8')) ?? []
      return (JSON.parse(data) as [string][]).map(([file]) => file)
    }),
  )
  const fault = (page: string, what: string): Fault => ({ page, kind: 'search', what })
  return [
    ...[...found].filter((file) => !files.has(file)).map((file) => fault('_docket/search', file)),
    ...readablePages(files).flatMap((page) => (found.has(page) ? [] : [fault(page, 'is not in the search index')])),
  ]
}
