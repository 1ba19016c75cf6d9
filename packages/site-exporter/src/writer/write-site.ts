import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { pMapIterable } from 'p-map'
import type { Note, NoteKind } from '#markdown/page-notes.ts'
import { includeFiles } from '#readers/includes.ts'
import { pieceReader } from '#readers/piece-reader.ts'
import { includeSnippets } from '#readers/snippets.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'
import type { SourcePage } from '#site/source-page.ts'
import { copyFiles } from '#writer/copies/copy-files.ts'
import { frameFiles } from '#writer/frame/frame-files.ts'
import type { Frame } from '#writer/frame/html-document.ts'
import { createLook } from '#writer/frame/look.ts'
import { createAddresses, toHtmlFile, publicPath } from './addresses.ts'
import { settleFragments, type AnchorUse } from './fragments.ts'
import { maxContents, pageDocument } from './layout.ts'
import { mediaCopier, type Media } from './media.ts'
import { createNavigation } from './navigation.ts'
import { redirectPages } from './redirects.ts'
import { renderPage } from './render-page.ts'
import { searchIndex } from './search-index.ts'

/** Deployment kind (Admin API §1). */
export type DeploymentKind = 'cloud' | 'client-hosted' | 'air-gapped'

/** Order for a written site. A rejected `onPage` ends the export. */
export type SiteOrder = {
  folder: SourceFolder
  site: SourceSite
  /** Appears in public links, the site map and the report. */
  domain: string
  version: string | null
  /** `cloud` by default (Admin API §1). Air-gapped sites have no search. */
  deploymentKind?: DeploymentKind
  /** Output folder; emptied first. */
  target: string
  onBegin?: () => void
  onPage: (count: number, total: number) => Promise<void>
}

const filesAtOnce = 8

/** Writes a static site with search, media and report. Returns the page count. */
export const writeSite = async (order: SiteOrder): Promise<number> => {
  const { folder, site, domain, version, target, onPage } = order
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, '_docket'), { recursive: true })
  const write = async (file: string, content: string) => {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await writeFile(join(target, file), content)
  }
  const media = mediaCopier(folder, site.root, target)
  const addresses = createAddresses(site, domain)
  const lines: ReportLine[] = []
  const leave = (file: string, what: string, kind: ReportLine['kind'] = 'left-out') =>
    lines.push({ page: null, file, kind, what })
  const parts = await buildFrame(order, media)
  const look = await createLook(site, { base: parts.base, addresses, media, leave })
  const frame: Frame = { ...parts, look }
  const navigation = createNavigation(site, look.link)
  const copies = copyFiles(frame, { folder, write, leave })
  for (const { file, reason } of site.leftOut) leave(file, reason, 'not-a-page')
  for (const file of new Set([...site.operations.values()].map(({ document }) => document.file)))
    leave(file, 'the API playground: files cannot make calls')
  if (!frame.search) leave('_docket/search.js', 'the search: air-gapped deployments have none')
  const ids = new Map<string, ReadonlySet<string>>()
  const anchors: AnchorUse[] = []
  const search = searchIndex()
  let count = 0

  // Reads ahead of rendering.
  const read = async (page: SourcePage) => {
    const remarks: ReportLine[] = []
    const note = (kind: ReportLine['kind'], what: string) =>
      remarks.push({ page: page.path, file: page.file, kind, what })
    if (page.problem) note('not-understood', page.problem)
    const operation = site.operations.get(page.path)
    const body = page.file === operation?.document.file ? '' : await readBody(folder, site.root, page, note)
    return { page, operation, body, note, remarks }
  }
  for await (const prepared of pMapIterable(site.pages.values(), read, { concurrency: filesAtOnce })) {
    const { page, operation, body, note, remarks } = prepared
    order.onBegin?.()
    const rendered = await renderPage(page, body, { addresses, media, note, dialect: site.dialect, operation })
    if (rendered.headings.length > maxContents)
      note('left-out', `of the table of contents, what comes after the first ${maxContents} headings`)
    const place = navigation(page.path)
    await write(toHtmlFile(page.path), pageDocument(frame, page, rendered, place))
    await copies.addPage(page, rendered)
    for (const remark of remarks) lines.push(remark)
    ids.set(page.path, rendered.ids)
    anchors.push(...rendered.anchors)
    const headings = rendered.headings.map(({ text }) => text).join(' ')
    search.add({
      file: toHtmlFile(page.path),
      title: rendered.title,
      group: place.trail.join(' / '),
      headings,
      text: rendered.text,
    })
    await onPage(++count, site.pages.size)
  }

  for (const { from, path, fragment } of await settleFragments(target, anchors, ids)) {
    lines.push({ page: from, file: site.pages.get(from)!.file, kind: 'broken-anchor', what: `${path}#${fragment}` })
  }
  for (const { file, html } of redirectPages(frame, addresses, leave)) await write(file, html)
  for (const [file, content] of await frameFiles(frame, navigation)) await write(file, content)
  if (frame.search) await write('_docket/search-index.js', search.script())
  await copies.finish()
  if (frame.base) await write('sitemap.xml', sitemap(frame.base, site))
  await write('export-report.json', reportJson({ domain, version, pages: count, lines }))
  return count
}

/** Page text with includes. The file may have vanished since it was listed. */
const readBody = async (folder: SourceFolder, root: string, page: SourcePage, note: Note) => {
  const content = await folder.read(page.file, limits.pageBytes)
  if (!content) {
    note('left-out', 'its text: the file was removed or replaced while the site was being exported')
    return '*The text of this page was removed while the site was being exported.*'
  }
  const { body } = readFrontMatter(content.toString('utf8'))
  const reader = pieceReader(folder)
  const whole = await includeFiles(reader, root, page.file, await includeSnippets(reader, page.file, body))
  if (reader.problem !== null) note('left-out', reader.problem)
  return whole
}

const buildFrame = async (
  { site, version, domain, deploymentKind }: SiteOrder,
  media: Media,
): Promise<Omit<Frame, 'look'>> => {
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
    search: deploymentKind !== 'air-gapped',
  }
}

const sitemap = (base: string, site: SourceSite) => {
  const urls = [...site.pages.keys()].map(
    (path) => `<url><loc>${base}/${publicPath(path).split('/').map(encodeURIComponent).join('/')}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

/** Remark in the report. */
type ReportLine = { page: string | null; file: string; kind: NoteKind | 'not-a-page'; what: string }

/** Maximum lines of the report; its counts cover all lines. */
const maxLines = 20_000
const shortened = (text: string) => (text.length > 500 ? `${text.slice(0, 499).toWellFormed()}…` : text)

/** Formats `export-report.json`, deterministically. */
const reportJson = (report: {
  domain: string
  version: string | null
  pages: number
  lines: readonly ReportLine[]
}) => {
  const { lines, ...head } = report
  const counts: Record<string, number> = {}
  for (const { kind } of lines) counts[kind] = (counts[kind] ?? 0) + 1
  const visible = lines
    .slice(0, maxLines)
    .map((line) => ({ ...line, file: shortened(line.file), what: shortened(line.what) }))
  const more = lines.length > visible.length && { linesLeftOut: lines.length - visible.length }
  return `${JSON.stringify({ ...head, counts, ...more, lines: visible }, null, 1)}\n`
}
