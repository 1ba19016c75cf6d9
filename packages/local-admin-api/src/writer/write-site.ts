import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readFrontMatter } from '#source/front-matter.ts'
import { limits } from '#source/limits.ts'
import { includeSnippets } from '#source/snippets.ts'
import type { SourcePage, SourceSite } from '#source/site.ts'
import type { SourceFolder } from '#source/source-folder.ts'
import { addressesOf, htmlFileOf, publicPath } from '#writer/addresses.ts'
import { accentStyles } from '#writer/colors.ts'
import { notFoundDocument, pageDocument, type Frame } from '#writer/layout.ts'
import { mediaCopier, type Media } from '#writer/media.ts'
import { navigationOf } from '#writer/navigation.ts'
import { renderPage } from '#writer/render-page.ts'
import { reportJson, type ReportLine } from '#writer/report.ts'
import type { AnchorUse } from '#writer/resolve-links.ts'
import { searchIndex } from '#writer/search-index.ts'

/** What to write, where to, and whom to tell after each page. `onPage` may reject to end the export. */
export type SiteOrder = {
  folder: SourceFolder
  site: SourceSite
  domain: string
  version: string | null
  /** Emptied first. */
  target: string
  onPage: (written: number, total: number) => Promise<void>
}

/** Writes a site as files that need no server: pages with relative links, style, script, search index, media, report. Resolves with the number of pages. */
export const writeSite = async ({ folder, site, domain, version, target, onPage }: SiteOrder): Promise<number> => {
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, '_docket'), { recursive: true })
  const write = async (file: string, content: string) => {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await writeFile(join(target, file), content)
  }
  const media = mediaCopier(folder, target)
  const frame = await frameOf(site, version, domain, media)
  const addresses = addressesOf(site, domain)
  const navigation = navigationOf(site)
  const lines: ReportLine[] = site.leftOut.map(({ file, reason }) => ({
    page: null,
    file,
    kind: 'not-a-page',
    what: reason,
  }))
  const ids = new Map<string, ReadonlySet<string>>()
  const anchors: AnchorUse[] = []
  const search = searchIndex()
  let written = 0

  for (const page of site.pages.values()) {
    const note = (kind: ReportLine['kind'], what: string) =>
      lines.push({ page: page.path, file: page.file, kind, what })
    if (page.problem) note('not-understood', page.problem)
    const rendered = await renderPage(page, await bodyOf(folder, page), { addresses, media, note })
    const place = navigation(page.path)
    await write(htmlFileOf(page.path), pageDocument(frame, page, rendered, place))
    ids.set(page.path, rendered.ids)
    anchors.push(...rendered.anchors)
    const headings = rendered.headings.map(({ text }) => text).join(' ')
    search.add({
      file: htmlFileOf(page.path),
      title: rendered.title,
      group: place.trail.join(' / '),
      headings,
      text: rendered.text,
    })
    await onPage(++written, site.pages.size)
  }

  for (const { from, path, fragment } of anchors) {
    if (ids.get(path)?.has(fragment)) continue
    lines.push({ page: from, file: site.pages.get(from)!.file, kind: 'broken-anchor', what: `${path}#${fragment}` })
  }
  if (!site.pages.has('404')) await write('404.html', notFoundDocument(frame))
  if (!site.pages.has('index')) await write('index.html', firstPage(site))
  await write('_docket/search-index.js', search.script())
  await write('_docket/site.css', await styles(site))
  for (const name of ['site.js', 'search.js']) await write(`_docket/${name}`, await asset(name))
  await write('_docket/minisearch.js', await readFile(searchLibrary, 'utf8'))
  if (frame.base) await write('sitemap.xml', sitemap(frame.base, site))
  await write('export-report.json', reportJson({ domain, version, pages: written, lines }))
  return written
}

/** The package exports its module builds only; pages opened from a disk need the one that is a plain script. */
const searchLibrary = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../umd/index.js')

/** In this order: later parts refine earlier ones. */
const styleParts = ['colors', 'frame', 'text', 'components', 'search', 'narrow']

const styles = async (site: SourceSite) => {
  const parts = await Promise.all(styleParts.map((name) => asset(`${name}.css`)))
  return [...parts, accentStyles(site.colors)].join('\n')
}

const asset = (name: string) => readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')

const bodyOf = async (folder: SourceFolder, page: SourcePage) => {
  const content = await folder.read(page.file, limits.pageBytes)
  if (!content) throw new Error(`${page.file} was removed while the site was being exported`)
  return includeSnippets(folder, page.file, readFrontMatter(content.toString('utf8')).body)
}

const frameOf = async (site: SourceSite, version: string | null, domain: string, media: Media): Promise<Frame> => {
  const copy = async (reference: string | null) => {
    const result = reference ? await media.copy([reference.replace(/^\.?\//, '')]) : { problem: '' }
    return 'file' in result ? result.file : null
  }
  const [light, dark, favicon] = [await copy(site.logo.light), await copy(site.logo.dark), await copy(site.favicon)]
  const isPublic = /\.[a-z-]{2,}$/.test(domain) && !/\.(localhost|local|internal|test|invalid|example)$/.test(domain)
  return {
    site,
    version,
    logo: light && dark ? { light, dark } : null,
    favicon,
    base: isPublic ? `https://${domain}` : null,
  }
}

const sitemap = (base: string, site: SourceSite) => {
  const urls = [...site.pages.keys()].map(
    (path) => `<url><loc>${base}/${publicPath(path).split('/').map(encodeURIComponent).join('/')}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

/** A bundle opens at its index, also when the source has no page there. */
const firstPage = (site: SourceSite) => {
  const [first = '404'] = site.pages.keys()
  const href = htmlFileOf(first).split('/').map(encodeURIComponent).join('/')
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Documentation</title><meta http-equiv="refresh" content="0; url=${href}"></head><body><a href="${href}">Documentation</a></body></html>\n`
}
