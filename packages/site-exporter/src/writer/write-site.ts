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
import type { ReadRemoteFile } from '#site/remote-file.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { ExtraFile } from '#writer/extras/extra-file.ts'
import { newIcons } from '#markdown/icons/draw-icons.ts'
import { siteExtras } from '#writer/extras/extras.ts'
import { frameFiles } from '#writer/frame/frame-files.ts'
import type { Frame } from '#writer/frame/html-document.ts'
import { createAddresses, toHtmlFile, publicPath } from './addresses.ts'
import { settleFragments, type AnchorUse } from './fragments.ts'
import { maxContents, pageDocument } from './layout.ts'
import { mediaCopier, type Media } from './media.ts'
import { noteNavIcons } from './nav-icons.ts'
import { createNavigation } from './navigation.ts'
import { redirectPages } from './redirects.ts'
import { stayedAway } from './resolve-links.ts'
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
  /** Reads files of other hosts; none when absent. */
  readRemote?: ReadRemoteFile
  onBegin?: () => void
  onPage: (count: number, total: number) => Promise<void>
}

const filesAtOnce = 8

/** Writes a static site with search, media and report. Returns the page count. */
export const writeSite = async (order: SiteOrder): Promise<number> => {
  const { folder, site, domain, version, target, onPage } = order
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, '_docket'), { recursive: true })
  const write = async (file: string, content: string | Buffer) => {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await writeFile(join(target, file), content)
  }
  const media = mediaCopier(folder, site.root, target, order.readRemote ?? null)
  const frame = await buildFrame(order, media)
  const addresses = createAddresses(site, domain)
  const navigation = createNavigation(site)
  const lines: ReportLine[] = []
  const leave = (file: string, what: string, kind: ReportLine['kind'] = 'left-out') =>
    lines.push({ page: null, file, kind, what })
  const isNews = newIcons()
  for (const what of noteNavIcons(site)) if (isNews(what)) leave('', what)
  for (const { file, reason } of site.leftOut) leave(file, reason, 'not-a-page')
  for (const file of new Set([...site.operations.values()].map(({ document }) => document.file)))
    leave(file, 'the API playground: files cannot make calls')
  if (!frame.search) leave('_docket/search.js', 'the search: air-gapped deployments have none')
  const ids = new Map<string, ReadonlySet<string>>()
  const anchors: AnchorUse[] = []
  const search = searchIndex()
  const extras = siteExtras()
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
    const { dialect, formulas, icons } = site
    const rendered = await renderPage(page, body, { addresses, media, note, dialect, formulas, icons, operation })
    if (rendered.headings.length > maxContents)
      note('left-out', `of the table of contents, what comes after the first ${maxContents} headings`)
    const place = navigation(page.path)
    const html = pageDocument(frame, page, rendered, place)
    extras.add(html)
    await write(toHtmlFile(page.path), html)
    for (const remark of remarks) if (isNews(remark.what)) lines.push(remark)
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
  for (const [file, content] of await frameFiles(frame)) await write(file, content)
  const added = await extras.files()
  for (const { file, content } of added) await write(file, content)
  if (frame.search) await write('_docket/search-index.js', search.script())
  if (frame.base) await write('sitemap.xml', sitemap(frame.base, site))
  await write(
    'export-report.json',
    reportJson({ domain, version, pages: count, added: sizes(added), otherHosts: countHosts(lines), lines }),
  )
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

const buildFrame = async ({ site, version, domain, deploymentKind }: SiteOrder, media: Media): Promise<Frame> => {
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

const countHosts = (lines: readonly ReportLine[]) => {
  const counts = new Map<string, number>()
  for (const { what } of lines) {
    const host = stayedAway.exec(what)?.[1]
    if (host !== undefined) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)))
}

const sizes = (files: readonly ExtraFile[]) =>
  files.map(({ file, content }) => ({ file, bytes: Buffer.byteLength(content) }))

/** Formats `export-report.json`, deterministically. */
const reportJson = (report: {
  domain: string
  version: string | null
  pages: number
  /** Files for formulas, diagrams and icons, which can be large. */
  added: readonly { file: string; bytes: number }[]
  /** Uses of pictures and other files that stayed on other hosts, by host. */
  otherHosts: Readonly<Record<string, number>>
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
