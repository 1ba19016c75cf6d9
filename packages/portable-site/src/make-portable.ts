import { mkdir, readFile, rm } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Reference } from '@docket/site-bundle/check/reference'
import { openContent } from '@docket/site-bundle/check/site-content'
import { createFileKind } from '@docket/site-bundle/file-kind'
import { escapeLocation } from '@docket/site-bundle/locator/addresses'
import { isHidden } from '@docket/site-bundle/locator/hidden-files'
import { isNotFoundAddress } from '@docket/site-bundle/locator/page-address'
import type { BundleFile } from '@docket/site-bundle/manifest'
import { decodeText } from '@docket/site-bundle/text-encoding'
import { decideMediaType } from '@docket/site-bundle/media-type'
import { readRefresh, type Document } from '@docket/site-bundle/pages/html'
import type { SourceFolder } from '@docket/sources/source-folder'
import type { BuiltSite, PortableOrder, PortableSearch, ReadRemote, SearchSection } from './built-site.ts'
import { createFileWriter, formatReport } from './export-files.ts'
import { runWithinTime, TookTooLong } from '@docket/sources/within-time'
import { describeStart, findOwnSearch, outputFolder } from './frameworks.ts'
import { collectLines, type Lines, type Remark } from './report-lines.ts'
import { createResolver, type Place, type Resolver } from './resolve-address.ts'
import { rewriteCss } from './rewrite/css.ts'
import {
  createReplace,
  insertHead,
  insertXmlHead,
  isTooDeep,
  parseHtml,
  rewriteHtml,
  type Rewriting,
} from './rewrite/html.ts'
import { findPageText } from './search-text.ts'
import { remarkWorkers, rewriteJson, rewriteScript } from './rewrite/script.ts'

/** Larger files are left out, because each is in memory once. Bytes. */
const maxFileBytes = 256 * 1024 ** 2
const maxRemoteBytes = 16 * 1024 ** 2
/** Pages of redirects are short. Bytes. */
const maxRedirectBytes = 16 * 1024

/** In some browsers `'self'` matches nothing for pages opened from a disk, so `file:` is added. Owners' inline scripts and styles go on working. */
const policy =
  "default-src 'self' file: data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'self' file:; base-uri 'none'; form-action 'self' file:"

const mark = '\uFEFF'
const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`

/** So that a source cannot make the export write any number of files. */
const maxScopes = 200
const outsideSheet = /<\?xml-stylesheet\s[^<>]{0,1000}?\/\/[^<>]{0,1000}?\?>/g
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
  const files = await listFiles(site.folder, lines)
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
    const text = isRewritten(file) ? await content.readText(path) : null
    if (file.type === 'application/xhtml+xml') {
      lines.leave(path, 'pages in XHTML keep their addresses', 'not-understood')
      write(path, mark + insertXmlHead(decodeText(bytes, true), head.replaceAll('">', '"/>')))
    } else if (text === null) write(path, bytes)
    else {
      const result = await rewrite.file(path, file.type, text)
      // Pages are in UTF-8 now. The mark counts more than what the file declares. Other bytes stay unless an address changes.
      if (!isUtf8(bytes)) write(path, mark + result)
      else write(path, result === text ? bytes : result)
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
  /** Null for a page that takes too long. */
  const makePage = async (path: string, text: string) => {
    if (isTooDeep(text)) return null
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
    return (cache?.([about, path, `${scope} ${words}`, text], make) ?? make()).catch((error: unknown) => {
      if (!(error instanceof TookTooLong)) throw error
      return null
    })
  }
  let [count, isScripted] = [0, false]
  for (const path of wanted) {
    order.onBegin?.()
    const text = await content.readText(path)
    const page = text === null ? null : await makePage(path, text)
    if (page === null) {
      lines.leave(
        path,
        'the page is too large or nested too deeply, or takes too long, so its addresses stay as they are',
      )
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

/** Reads each file once to know what it is. */
const listFiles = async (folder: SourceFolder, lines: Lines): Promise<BundleFile[]> => {
  const files: BundleFile[] = []
  for (const path of folder.files) {
    if (
      path === 'export-report.json' ||
      (isHidden(path) && !/^(?:_redirects|_headers|vercel\.json)$/.test(posix.basename(path)))
    ) {
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
    files.push({ path, sizeBytes: content.length, sha256: '', ...kind.end() })
  }
  return files
}

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

type RemoteFiles = ReturnType<typeof createRemoteFiles>

/** Copies of other hosts' files. `find` is null for one that can't be copied, and undefined for one that was not asked for yet. */
const createRemoteFiles = (
  readRemote: ReadRemote | undefined,
  write: (file: string, content: string | Buffer) => void,
) => {
  const known = new Map<string, { file: string } | { problem: string }>()
  return {
    isOpen: readRemote !== undefined,
    find: (url: string) => known.get(url),
    fetch: async (url: string, rewrite: (text: string, place: Place) => Promise<string>): Promise<void> => {
      if (known.has(url)) return
      known.set(url, { problem: 'it refers to itself' })
      const answer = await readRemote?.(url, maxRemoteBytes)
      if (answer === undefined || answer === null) known.set(url, { problem: '' })
      else if ('problem' in answer) known.set(url, answer)
      else {
        const { host, pathname } = new URL(url)
        const name = posix.basename(pathname).replaceAll(/[^\w.-]/g, '') || 'file'
        const type = answer.type || decideMediaType(name, answer.content)
        const ending =
          /\.\w{1,5}$/.exec(name)?.[0] ?? (type === 'text/css' ? '.css' : type === 'text/javascript' ? '.js' : '')
        const digest = createHash('sha256').update(url).digest('hex').slice(0, 8)
        const file = `${outputFolder}/hosts/${host.replaceAll(/[^\w.-]/g, '-')}/${name.slice(0, 60).replace(/\.\w{1,5}$/, '')}.${digest}${ending}`
        write(
          file,
          type === 'text/css' ? await rewrite(answer.content.toString(), { path: file, base: url }) : answer.content,
        )
        known.set(url, { file })
      }
    },
  }
}

const createRewriter = ({ resolver, remote, lines }: { resolver: Resolver; remote: RemoteFiles; lines: Lines }) => {
  /** Rewrites until every file of another host that it may copy is there. */
  const settle = async (isGuarded: boolean, run: (site: Rewriting) => string) => {
    for (;;) {
      const missing = new Set<string>()
      const remarks: Remark[] = []
      const site: Rewriting = {
        resolve: resolver.resolve,
        toHref: resolver.toHref,
        isGuarded,
        remark: (remark) => remarks.push(remark),
        takeRemote: (url, use) => {
          const address = url.href.replace(/#.*$/s, '')
          const canBeCopied = remote.isOpen && !['frame', 'object', 'hint', 'call', 'ping', 'redirect'].includes(use)
          const found = canBeCopied ? remote.find(address) : { problem: '' }
          if (found === undefined) missing.add(address)
          else if ('file' in found) return found.file
          else remarks.push({ kind: 'cut', use, host: url.host, why: found.problem })
          return null
        },
      }
      const result = runWithinTime(() => run(site))
      if (missing.size === 0) return { result, remarks }
      for (const url of missing)
        await remote.fetch(url, async (text, place) =>
          report(
            place.path,
            settle(false, (inner) => rewriteCss(text, false, createReplace(place, inner))),
          ),
        )
    }
  }
  const report = async (path: string, settled: ReturnType<typeof settle>): Promise<string> => {
    const { result, remarks } = await settled
    for (const remark of remarks) lines.remark(path, remark)
    return result
  }

  return {
    page: settle,
    file: (path: string, type: string, text: string): Promise<string> => {
      const place = resolver.toPlace(path)
      const settled = settle(false, (site) => {
        const replace = createReplace(place, site)
        // Pictures that a page embeds as documents have no policy.
        if (type === 'image/svg+xml')
          return isTooDeep(text) ? text : rewriteHtml(text.replace(outsideSheet, ''), place, site)
        if (type === 'text/css') return rewriteCss(text, false, replace)
        if (type === 'text/javascript') {
          remarkWorkers(text, site)
          return rewriteScript(text, { inModule: true, inPage: false }, (reference) =>
            isCertain(reference) ? replace(reference) : null,
          )
        }
        return rewriteJson(text, (name, address) =>
          typeof address === 'string' && manifestAddresses.has(name)
            ? (replace({ address, use: name === 'src' ? 'icon' : 'link', excerpt: () => address }) ?? address)
            : address,
        )
      })
      return report(path, settled)
    },
  }
}

/** Addresses of a script file are relative to unknown pages, except those it imports and those of a host. */
const isCertain = ({ isImport, address }: Reference) => isImport === true || /^(?:[a-z]+:)?\/\//i.test(address)

const manifestAddresses = new Set(['start_url', 'scope', 'src', 'url', 'action', 'id'])
