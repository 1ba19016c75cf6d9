import { mkdir, readFile, rm } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { openContent } from '@docket/site-bundle/check/site-content'
import { createFileKind } from '@docket/site-bundle/file-kind'
import { escapeLocation } from '@docket/site-bundle/locator/addresses'
import { isHidden } from '@docket/site-bundle/locator/hidden-files'
import { isNotFoundAddress } from '@docket/site-bundle/locator/page-address'
import type { BundleFile } from '@docket/site-bundle/manifest'
import { decodeText, findDeclaredEncoding } from '@docket/site-bundle/text-encoding'
import { readRefresh, type Document } from '@docket/site-bundle/pages/html'
import type { SourceFolder } from '@docket/sources/source-folder'
import type { BuiltSite, PortableOrder, PortableSearch, SearchSection } from './built-site.ts'
import { createFileWriter, formatReport } from './export-files.ts'
import { runWithinTime, TookTooLong } from '@docket/sources/within-time'
import { describeStart, findOwnSearch, isTemplate, outputFolder } from './frameworks.ts'
import { collectLines, type Lines } from './report-lines.ts'
import { createResolver } from './resolve-address.ts'
import { insertHead, insertXmlHead, parseHtml, rewriteHtml } from './rewrite/html.ts'
import { createRemoteFiles, createRewriter } from './rewriter.ts'
import { findPageText } from './search-text.ts'

/** Larger files are left out, because each is in memory once. Bytes. */
const maxFileBytes = 256 * 1024 ** 2
/** Pages of redirects are short. Bytes. */
const maxRedirectBytes = 16 * 1024

/** In some browsers `'self'` matches nothing for pages opened from a disk, so `file:` is added. Owners' inline scripts and styles go on working. */
const policy =
  "default-src 'self' file: data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'self' file:; base-uri 'none'; form-action 'self' file:"

const mark = '\uFEFF'
const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`

/** So that a source cannot make the export write any number of files. */
const maxScopes = 200
const unlisted = /<meta\s[^<>]*\bnoindex\b/i
const refreshTag = /<meta\s[^<>]*http-equiv\s*=\s*["']?refresh\b[^<>]*>/i

/** Makes a bundle of a built site that opens from a file, a sub-path and a host. Returns the page count. Throws a readable error with the code `NO_PAGE` when there are no pages. */
export const makePortable = async (site: BuiltSite, order: PortableOrder): Promise<number> => {
  const { target, onPage } = order
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const lines = collectLines()
  for (const { file, reason } of site.folder.leftOut) lines.leave(file, reason, 'not-a-page')
  const hidden = site.folder.hidden.filter((path) => path !== '.git')
  if (hidden.length > 0)
    lines.leave(hidden[0]!, `files and folders whose names begin with a dot: ${hidden.length}`, 'not-a-page')
  const { files, encoding } = await listFiles(site.folder, lines)
  const read = async (path: string) => (await site.folder.read(path, maxFileBytes)) ?? Buffer.alloc(0)
  const found = await openContent({ files, read }, site)
  // Of some sites, only the page for missing addresses says where it is for.
  const base = /<base\s[^<>]*href\s*=\s*["']?(\/[\w.~/-]*\/)["'\s>]/i.exec(
    (await found.readText('404.html')) ?? '',
  )?.[1]
  const content =
    found.mount === '/' && base !== undefined ? await openContent({ files, read }, { ...site, mount: base }) : found
  const { root, ownOrigin, isAtOwnOrigin } = content
  const origins = new Set([...site.origins, ...(ownOrigin !== null && isAtOwnOrigin ? [ownOrigin] : [])])
  const pages = content.pagePaths.filter((path) => content.find(path)!.type === 'text/html')
  const wanted = selectPages(pages, order.paths, content.toAddress)
  const isPage = new Set(pages)
  const isWantedPage = new Set(wanted)
  const redirects = new Map<string, string>()
  /** Languages of the pages that the search finds. */
  const languages = new Map<string, string>()
  let shown = 0
  for (const path of pages) {
    const isShort = content.find(path)!.sizeBytes <= maxRedirectBytes
    if (!isShort && !isWantedPage.has(path)) continue
    const text = (await content.readText(path)) ?? ''
    const redirect = isShort ? findRedirect(text) : null
    if (redirect !== null) redirects.set(path, redirect)
    else if (isWantedPage.has(path) && !isNotFoundAddress(content.toAddress(path))) {
      shown += 1
      if (!unlisted.test(text)) languages.set(path, readLanguage(text))
    }
  }
  if (shown === 0) throw Object.assign(new Error('The built site has no page'), { code: 'NO_PAGE' })
  await order.onSite?.(wanted.length)

  const resolver = createResolver({
    content,
    origins,
    addresses: site.addresses,
    isWanted: (path) => !isPage.has(path) || isWantedPage.has(path),
    findRedirect: (path) => redirects.get(path) ?? null,
  })
  const write = createFileWriter(target)
  const remote = createRemoteFiles(order.readRemote, write)
  const rewrite = createRewriter({ resolver, remote, lines })
  const ownSearch = order.search === undefined ? 'always' : findOwnSearch(content.pathsLike(/./))
  if (ownSearch === 'hosted')
    lines.leave(
      '',
      'the search of the site works only where it is hosted; pages that are opened from a disk have the bundle’s own',
    )
  const search = ownSearch === 'always' ? null : await openSearch(order.search!, languages, write)

  for (const file of files) {
    if (!file.path.startsWith(root)) {
      lines.leave(file.path, 'it is beside the site', 'not-a-page')
      continue
    }
    const path = file.path.slice(root.length)
    // Its rules are in `_redirects` then, without the path that the site was built for.
    if (isPage.has(path) || (content.mount !== '/' && path === 'vercel.json')) continue
    const bytes = await read(file.path)
    const known = isRewritten(file) ? await content.readText(path, bytes) : null
    // Scripts and style sheets are in the encoding of the pages unless they say otherwise.
    const text = known === null || isUtf8(bytes) ? known : decodeText(bytes, file.type !== 'text/javascript', encoding)
    if (file.type === 'application/xhtml+xml') {
      lines.leave(path, 'pages in XHTML keep their addresses', 'not-understood')
      write(path, mark + insertXmlHead(decodeText(bytes, true), head.replaceAll('">', '"/>')))
    } else if (text === null) write(path, bytes)
    else {
      const result = await rewrite.file(path, file.type, text).catch(giveUp)
      if (result === null) lines.leave(path, `the file ${asItIs}`)
      // Pages are in UTF-8 now. The mark counts more than what the file declares. Other bytes stay unless an address changes.
      if (!isUtf8(bytes)) write(path, mark + (result ?? text))
      else write(path, result === text ? bytes : (result ?? bytes))
    }
  }
  if (content.mount !== '/' && content.rules.rules.length > 0)
    write(
      '_redirects',
      content.rules.rules.map(({ from, to, status }) => `${escapeLocation(from)} ${to ?? ''} ${status}\n`).join(''),
    )

  const cache = remote.isOpen ? undefined : order.cache
  const { mount, rules } = content
  const lists = [files.map(({ path }) => path), wanted, origins, site.addresses ?? [], redirects, rules.rules].map(
    (list) => [...list],
  )
  const about =
    cache === undefined
      ? ''
      : createHash('sha256')
          .update(JSON.stringify([lists, mount, ownSearch]))
          .digest('hex')
  /** Null for a page that stays as it is. */
  const makePage = async (path: string, text: string) => {
    const scope = search?.numbers.get(path)
    const words = search?.toWordsFile(path)
    const make = async () => {
      const document = runWithinTime(() => parseHtml(text))
      const { isGuarded, isScripted, scripts, router } = describeStart(resolver, path, text, {
        ownSearch,
        scope,
        words,
        document,
      })
      const { result, remarks } = await rewrite.page(isGuarded, (site) =>
        rewriteHtml(text, resolver.toPlace(path), site, { head: head + scripts, document }),
      )
      const found = scope === undefined ? null : runWithinTime(() => search!.read(document))
      return { result, isScripted, remarks: [...router, ...remarks], found }
    }
    return (cache?.([about, path, `${scope} ${words}`, text], make) ?? make()).catch(giveUp)
  }
  let [count, isScripted] = [0, false]
  for (const path of wanted) {
    order.onBegin?.()
    const text = await content.readText(path)
    const page = text === null ? null : await makePage(path, text)
    if (page === null) {
      lines.leave(path, `the page ${asItIs}`)
      write(path, insertHead(decodeText(await read(root + path), true), head))
    } else {
      write(path, page.result)
      isScripted ||= page.isScripted
      for (const remark of page.remarks) lines.remark(path, remark)
      if (page.found !== null) search?.add(path, page.found)
    }
    count += 1
    await onPage?.(count, wanted.length)
  }
  search?.close()
  if (isScripted) write(`${outputFolder}/portable.js`, await readFile(new URL('./assets/portable.js', import.meta.url)))
  const { domain, version } = order
  const report = formatReport({ domain, version, pages: shown, added: [], ...lines.finish() })
  write('export-report.json', report)
  return shown
}

const asItIs = 'is too large or nested too deeply, or takes too long, so its addresses stay as they are'

/** Null after a file that is too large for a parser or takes too long. */
const giveUp = (error: unknown): null => {
  if (error instanceof TookTooLong || error instanceof RangeError) return null
  throw error
}

/** Address that a page redirects to, without waiting. */
const findRedirect = (text: string): string | null => {
  const written = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(refreshTag.exec(text)?.[0] ?? '')
  const refresh = readRefresh(written?.[1] ?? written?.[2] ?? '')
  return refresh?.afterSeconds === 0 ? refresh.address.replaceAll('&amp;', '&') : null
}

const readLanguage = (text: string): string => {
  const tag = /<html\s(?:[^<>]*\s)?lang\s*=\s*["']?([\w-]+)/i.exec(text)?.[1]?.replaceAll('_', '-') ?? 'en'
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

const isRewritten = ({ type }: BundleFile) =>
  /^(?:text\/css|text\/javascript|application\/manifest\+json|image\/svg\+xml)$/.test(type)

/** Reads each file once to know what it is. `encoding` is what the first page in another one than UTF-8 declares. */
const listFiles = async (folder: SourceFolder, lines: Lines) => {
  const files: BundleFile[] = []
  const templates = new Set<string>()
  let encoding: string | undefined
  for (const path of folder.files) {
    if (path === 'export-report.json') {
      lines.leave(path, 'the bundle has a report of its own', 'not-a-page')
      continue
    }
    if (isHidden(path) && !/^(?:_redirects|_headers|vercel\.json)$/.test(posix.basename(path))) {
      lines.leave(path, 'it is for a server or for git, and readers don’t get it', 'not-a-page')
      continue
    }
    const content = await folder.read(path, maxFileBytes)
    if (content === null) {
      lines.leave(path, 'it is larger than 256 MiB, or was removed while the site was read', 'missing-file')
      continue
    }
    const kind = createFileKind(path)
    kind.add(content)
    const { type, ...rest } = kind.end()
    if (type === 'text/html') {
      if (rest.charset === null) encoding ??= findDeclaredEncoding(content) ?? undefined
      if (templates.size < maxTemplates && isTemplate(content)) templates.add(path)
    }
    files.push({ path, sizeBytes: content.length, sha256: '', type, ...rest })
  }
  const linking = templates.size === 0 ? [] : files.filter(({ type }) => type === 'text/html')
  for (const { path } of linking) {
    const text = String(await folder.read(path, maxFileBytes))
    for (const one of templates) if (one !== path && text.includes(posix.basename(one))) templates.delete(one)
  }
  for (const path of templates) lines.leave(path, 'it is a template, and no page links to it', 'not-a-page')
  return { files: files.filter(({ path }) => !templates.has(path)), encoding }
}

/** Each costs a look at every page. */
const maxTemplates = 100

/** Pages by path or address. Throws a readable error for one that the site lacks. */
const selectPages = (
  pages: readonly string[],
  paths: readonly string[] | null,
  toAddress: (path: string) => string,
) => {
  if (paths === null) return [...pages]
  const normalize = (text: string) => text.replace(/^\//, '').replace(/(?:^|\/)index$|\/$|\.html?$/i, '')
  const byName = new Map(pages.map((path) => [normalize(toAddress(path)), path]))
  const unknown = paths.filter((path) => !byName.has(normalize(path)))
  if (unknown.length > 0) throw new Error(`The site has no page ${unknown.slice(0, 5).join(', ')}`)
  const wanted = new Set(paths.map((path) => byName.get(normalize(path))!))
  return pages.filter((path) => wanted.has(path))
}

/** The bundle's own search: a scope for each language. */
const openSearch = async (
  search: PortableSearch,
  languages: ReadonlyMap<string, string>,
  write: (file: string, content: string) => void,
) => {
  const listed = [...new Set(languages.values())].slice(0, maxScopes)
  const numbers = new Map([...languages].map(([path, lang]) => [path, Math.max(0, listed.indexOf(lang))]))
  const index = search.createIndex({ scopes: listed.map((lang) => ({ lang, version: null })), numbers }, write)
  for (const [file, text] of await search.readFiles()) write(file, text)
  const words = listed.map((lang) => search.formatWords?.(lang))
  for (const one of words) if (one !== undefined) write(one.file, one.script)
  return {
    numbers,
    toWordsFile: (path: string) => words[numbers.get(path) ?? -1]?.file,
    read: (document: Document) => {
      const { title, content } = findPageText(document)
      return { title, sections: content === null ? [] : search.readSections(content) }
    },
    add: (path: string, found: { title: string; sections: readonly SearchSection[] }): void =>
      index.add({ path, file: path, trail: [], ...found }),
    close: index.close,
  }
}
