import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileWriter, formatReport, type ReportLine } from '@docket/portable-site/export-files'
import type { SourceFolder } from '@docket/sources/source-folder'
import { pMapIterable } from 'p-map'
import { createEmptyPieces } from '#markdown/mdx/page-pieces.ts'
import type { Note, NoteKind } from '#markdown/page-notes.ts'
import { createPieceReader } from '#readers/piece-reader.ts'
import { noteGaps } from '#readers/page-gaps.ts'
import { readDialect } from '#readers/read-dialect.ts'
import { findText } from '#readers/read-text.ts'
import { readPageText } from '#readers/read-page-text.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { readPageBody, hiddenSentences, type HiddenReason } from '#site/front-matter.ts'
import { notFoundPath, hasSafeFolders } from '#site/page-paths.ts'
import type { Language } from '#site/language.ts'
import { findWording } from '#site/words.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import type { SourcePage } from '#site/source-page.ts'
import { type ExtraFile, createSiteExtras } from '#writer/extras/extras.ts'
import { createIconRemarkFilter } from '#markdown/icons/draw-icons.ts'
import { createCopyWriter } from '#writer/copies/copy-files.ts'
import { buildFrameFiles } from '#writer/frame/frame-files.ts'
import { type Frame, renderHtmlDocument, renderLinkedAssets } from '#writer/frame/html-document.ts'
import { findLanguage, findPageWording } from '#writer/frame/language.ts'
import { createLook } from '#writer/frame/look.ts'
import { openPageCache, type UsedEntries } from '#writer/cache/cached-pages.ts'
import { findScopes } from '#writer/search/scopes.ts'
import { createSearchIndex } from '#writer/search/search-index.ts'
import { createAddresses, toHtmlFile, toPublicPath, encodePart, toRelativeHref, type Addresses } from './addresses.ts'
import { correctFragments, type AnchorUse } from './fragments.ts'
import { maxContents, renderPageDocument } from './layout.ts'
import { createMediaCopier, type Media } from './media.ts'
import { listMissingNavIcons } from './nav-icons.ts'
import { createNavigation } from './navigation.ts'
import type { RenderedPage } from './render-page.ts'
import { remoteRemark } from './resolve-links.ts'
import { decodeAddress } from '#site/data.ts'
import { markup } from './markup.ts'

type RedirectPage = { file: string; html: string }

const maxRedirects = 10_000

/** `leave` reports redirects without a free address or a valid target, unless a page has their address. */
const buildRedirectPages = (
  frame: Frame,
  addresses: Addresses,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  leave: (old: string, reason: string) => void,
): RedirectPage[] => {
  const { site } = frame
  const root = { path: 'index', file: `${site.root}index.md` }
  const used = new Set([...site.pages.keys()].map((path) => path.toLowerCase())).add('404').add('index')
  const all = [...site.redirects]
  if (all.length > maxRedirects) leave('docs.json', `a site may have ${maxRedirects} redirects`)
  return all.slice(0, maxRedirects).flatMap(([old, address]): RedirectPage[] => {
    const path = decodeAddress(old).replace(/\.html$/i, '')
    if (used.has(path.toLowerCase())) return []
    const no = (reason: string) => {
      leave(`${old} → ${address}`, reason)
      return []
    }
    if (!isPlain(path) || !hasSafeFolders(path)) return no('no file can have this old address')
    const destination = addresses(root, address)
    if (destination.kind !== 'page' && destination.kind !== 'outside') return no('the new address leads nowhere')
    used.add(path.toLowerCase())
    const file = toHtmlFile(path)
    // Readers have to confirm before they leave the export.
    if (destination.kind === 'outside') return [{ file, html: renderLeavingDocument(frame, file, destination.href) }]
    const { path: target, fragment: id } = destination
    const fragment = ids.get(target)?.has(id) ? `#${encodePart(id)}` : ''
    return [
      {
        file,
        html: renderRedirectDocument(toRelativeHref(file, toHtmlFile(target)) + fragment, findLanguage(site, target)),
      },
    ]
  })
}

const renderRedirectDocument = (href: string, { lang, dir }: Language): string => {
  const { frame: words } = findWording(lang)
  return markup`<!doctype html>
<html lang="${lang}"${dir && markup` dir="${dir}"`}><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${words.moved}</title><meta http-equiv="refresh" content="0; url=${href}"></head><body><h1>${words.moved}</h1><p><a href="${href}">${words.movedHere}</a></p></body></html>
`.html
}

const renderLeavingDocument = (frame: Frame, file: string, href: string): string => {
  const { frame: words } = findWording(frame.site.language.lang)
  return renderHtmlDocument({
    frame,
    file,
    language: frame.site.language,
    title: `${words.moved} · ${frame.site.name}`,
    head: markup`<meta name="robots" content="noindex">\n`,
    assets: renderLinkedAssets(frame, file),
    body: [
      markup`<main id="docket-content" tabindex="-1" class="alone"><h1>${words.moved}</h1>
<p>${words.movedAway} <a href="${href}" rel="noopener noreferrer">${href}</a></p></main>`,
    ],
  })
}

const isPlain = (path: string) =>
  path.length < 400 && path.split('/').every((part) => /^[\p{L}\p{M}\p{N}_~-][\p{L}\p{M}\p{N}._~-]{0,120}$/u.test(part))

/** A rejected `onPage` ends the export. */
export type SiteOrder = {
  folder: SourceFolder
  site: SourceSite
  /** Appears in public links, the site map and the report. */
  domain: string
  version: string | null
  /** Output folder; emptied first. */
  target: string
  /** Folder of rendered pages that later exports can reuse; no cache when null or absent. */
  cache?: string | null
  /** Called once all pages are rendered, with the entries of `cache` that they used. */
  onCached?: (used: UsedEntries) => Promise<void>
  readRemote?: ReadRemoteFile
  onBegin?: () => void
  onPage: (count: number, total: number) => Promise<void>
}

const filesAtOnce = 8

export const writeSite = async (order: SiteOrder): Promise<number> => {
  const { folder, site, domain, version, target, onPage } = order
  await rm(target, { recursive: true, force: true })
  await mkdir(join(target, '_docket'), { recursive: true })
  const write = createFileWriter(target)
  const media = createMediaCopier(folder, site.root, target, order.readRemote ?? null)
  const addresses = createAddresses(site, domain)
  const lines: ReportLine[] = []
  const leave = (file: string, what: string, kind: ReportLine['kind'] = 'left-out') =>
    lines.push({ page: null, file, kind, what })
  for (const { file, reason, kind = 'not-a-page' } of site.leftOut) leave(file, reason, kind)
  const isNewRemark = createIconRemarkFilter()
  for (const what of listMissingNavIcons(site)) if (isNewRemark(what)) leave('', what)
  const parts = await buildFrame(order, media, (what) => leave(site.brand.file, what))
  const look = await createLook(site, { base: parts.base, addresses, media, leave })
  const frame: Frame = { ...parts, look }
  const navigation = createNavigation(site, look.link)
  const copies = createCopyWriter(frame, { folder, write, leave })
  for (const file of new Set([...site.operations.values()].map(({ document }) => document.file)))
    leave(file, 'the API playground: files cannot make calls')
  const hiddenPages = reportHidden(site, leave)
  const ids = new Map<string, ReadonlySet<string>>()
  const anchors: AnchorUse[] = []
  const search = createSearchIndex(frame.searchScopes, write)
  const extras = createSiteExtras()
  let count = 0

  // Reads the next pages while others are rendered.
  const read = async (page: SourcePage) => {
    const remarks: ReportLine[] = []
    const note = (kind: ReportLine['kind'], what: string) => {
      remarks.push({ page: page.path, file: page.file, kind, what })
    }
    if (page.problem) note('not-understood', page.problem)
    const operation = site.operations.get(page.path)
    const { body, pieces } =
      page.file === operation?.document.file
        ? { body: '', pieces: createEmptyPieces() }
        : await readBody(folder, site, page, note)
    return { page, operation, body, pieces, note, remarks }
  }
  let notFound: RenderedPage | null = null
  const pages = openPageCache(order.cache ?? null)
  for await (const prepared of pMapIterable(site.pages.values(), read, { concurrency: filesAtOnce })) {
    const { page, operation, body, pieces, note, remarks } = prepared
    order.onBegin?.()
    const { dialect, formulas, icons, schemas } = site
    const shared = {
      addresses,
      media,
      note,
      colors: new Map(),
      pieces,
      operation,
      schema: schemas.get(page.path),
      words: findPageWording(site, page.path),
    }
    const rendered = await pages.render(page, body, { ...shared, dialect, formulas, icons })
    if (rendered.headings.length > maxContents)
      note('left-out', `of the table of contents, what comes after the first ${maxContents} headings`)
    for (const remark of remarks) if (isNewRemark(remark.what)) lines.push(remark)
    if (page.path === notFoundPath) notFound = rendered
    else {
      const place = navigation(page.path)
      const html = renderPageDocument(frame, page, rendered, place)
      extras.add(html)
      write(toHtmlFile(page.path), html)
      copies.addPage(page, rendered)
      ids.set(page.path, rendered.ids)
      anchors.push(...rendered.anchors)
      const { title, sections, words } = rendered
      if (page.hidden === null) search.add({ path: page.path, title, trail: place.trail, sections, words })
    }
    await onPage(++count, site.pages.size)
  }
  pages.close()
  await order.onCached?.(pages.used)

  for (const { from, path, fragment } of await correctFragments(target, anchors, ids)) {
    lines.push({ page: from, file: site.pages.get(from)!.file, kind: 'broken-anchor', what: `${path}#${fragment}` })
  }
  for (const { file, html } of buildRedirectPages(frame, addresses, ids, leave)) write(file, html)
  for (const [file, content] of await buildFrameFiles(frame, navigation, notFound)) write(file, content)
  const added = await extras.files()
  for (const { file, content } of added) write(file, content)
  await copies.finish()
  search.close()
  if (frame.base) write('sitemap.xml', formatSitemap(frame.base, site))
  const extra = { ...hiddenPages, added: listSizes(added), otherHosts: countHosts(lines) }
  write('export-report.json', formatReport({ domain, version, pages: count, ...extra, lines }))
  return count
}

/** The file may have been removed since it was listed. */
const readBody = async (folder: SourceFolder, site: SourceSite, page: SourcePage, note: Note) => {
  const source = page.body ?? (await findText({ ...folder, leftOut: [] }, page.file))
  if (source === null) {
    note('left-out', 'its text: the file was removed or replaced while the site was being exported')
    return {
      body: `*${findPageWording(site, page.path).frame.removed}*`,
      pieces: createEmptyPieces(),
    }
  }
  const body = page.body ?? readPageBody(source)
  const reader = createPieceReader(folder)
  const text = await readDialect(site, page, body, { reader, note })
  const read = await readPageText(reader, site, page.file, text)
  for (const problem of reader.problems()) note('left-out', problem)
  if (page.body === undefined) noteGaps(text, site.dialect, note)
  return read
}

const buildFrame = async (
  { site, version, domain }: SiteOrder,
  media: Media,
  leave: (what: string) => void,
): Promise<Omit<Frame, 'look'>> => {
  const copy = async (reference: string | null) => {
    if (reference === null) return null
    const taken = await media.take(reference)
    if ('file' in taken) return taken.file
    leave(`the picture ${reference.slice(0, 200)} of the settings: ${taken.problem}`)
    return null
  }
  const light = await copy(site.logo.light)
  const dark = site.logo.dark === site.logo.light ? light : await copy(site.logo.dark)
  const favicon = await copy(site.favicon)
  const isPublic = /\.[a-z-]{2,}$/.test(domain) && !/\.(localhost|local|internal|test|invalid|example)$/.test(domain)
  return {
    site,
    version,
    logo: light && dark ? { light, dark } : null,
    favicon,
    base: isPublic ? `https://${domain}` : null,
    searchScopes: findScopes(site),
  }
}

const formatSitemap = (base: string, site: SourceSite) => {
  const visible = [...site.pages.values()].filter(({ path, hidden }) => path !== notFoundPath && hidden === null)
  const urls = visible.map(
    ({ path }) => `<url><loc>${base}/${toPublicPath(path).split('/').map(encodeURIComponent).join('/')}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

const countHosts = (lines: readonly ReportLine[]) => {
  const counts = new Map<string, number>()
  for (const { what } of lines) {
    const host = remoteRemark.exec(what)?.[1]
    if (host !== undefined) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)))
}

const listSizes = (files: readonly ExtraFile[]) =>
  files.map(({ file, content }) => ({ file, bytes: Buffer.byteLength(content) }))

const reportHidden = (
  { pages, hidden }: SourceSite,
  leave: (file: string, what: string, kind: NoteKind | 'not-a-page') => void,
): { hiddenPages?: Readonly<Record<string, number>> } => {
  const counts: Partial<Record<HiddenReason, number>> = {}
  for (const { hidden: reason } of [...hidden.values(), ...pages.values()]) {
    if (reason === null) continue
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  for (const { file, hidden: reason } of hidden.values())
    leave(file, `hidden: ${hiddenSentences[reason!]}`, 'not-a-page')
  for (const { file, hidden: reason } of pages.values())
    if (reason !== null)
      leave(file, `from navigation, search and site map: ${hiddenSentences[reason]}; its address works`, 'left-out')
  return Object.keys(counts).length > 0 ? { hiddenPages: counts } : {}
}
