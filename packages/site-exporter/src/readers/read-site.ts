import { posix } from 'node:path'
import { enterFolder, type SourceFolder } from '@docket/sources/source-folder'
import { toLine } from '@docket/sources/text'
import { pMapIterable } from 'p-map'
import { readApiReference } from '#openapi/reading/read-api-reference.ts'
import { copyText } from '#site/decode-text.ts'
import { buildFolderTree, nameFile } from '#site/folder-tree.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'
import { collectPageFiles, createPageFinder, findPath, normalizePath } from '#site/page-paths.ts'
import type { FindPage, Named, PageFile } from '#site/page-paths.ts'
import { findWording, markWord, replaceMarks } from '#site/words.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import { pruneNav, type NavNode, type SourcePage, listPages } from '#site/source-page.ts'
import { readDocsJson } from '#readers/docs-json/docs-json.ts'
import { toDocsJson } from '#readers/docs-json/mint-json.ts'
import { readJsonWithReferences } from '#readers/docs-json/references.ts'
import { listIgnoredPageSettings } from '#readers/docs-json/settings-report.ts'
import type { Brand } from '#site/brand.ts'
import { findFile } from './globs.ts'
import { explainForeign, findForeignProject, listUnreadTexts } from './foreign-tools.ts'
import { listNamedPages, removeHiddenParts, selectPages } from './hidden-pages.ts'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { readVariables } from './read-page-text.ts'
import { findText, readText, reportMistake, type ReportingFolder } from './read-text.ts'
import { readRedirects } from './redirects.ts'
import type { Pages, ReadNavigation, SiteLayout } from './layout.ts'
import { findLanguages, findProblem } from './page-languages.ts'
import { readLayout } from './site-layout.ts'
import type { SourceSite } from './source-site.ts'
import type { IconLibrary } from '#markdown/icons/find-icon.ts'
import { readOwn, asData, decodeAddress, isData, trimSlashes } from '#site/data.ts'
import type { FormulaRule } from '#markdown/formulas/formula-syntax.ts'
import { listKeys, maxNavigationDepth } from '#openapi/reading/docs-json-operations.ts'

type Structure = {
  pages: ReadonlyMap<string, SourcePage>
  nav: readonly NavNode[]
  redirects: ReadonlyMap<string, string>
  /** docs.json, or null. */
  docs: unknown
}

/** Path of the page that a site opens with: its index, the target of a redirect, or the first page of the navigation. */
const findStart = ({ pages, nav, redirects, docs }: Structure): string | null => {
  const isVisible = (path: string) => pages.get(path)?.hidden === null
  if (isVisible('index')) return 'index'
  const redirected = redirects.get('')
  return (
    (redirected === undefined ? undefined : findPath(redirected.replace(/[?#].*$/s, ''), isVisible)) ??
    findDefaultPage(asData(docs)['navigation'], isVisible, 0) ??
    nav.flatMap(listPages)[0] ??
    [...pages.keys()].find(isVisible) ??
    [...pages.keys()][0] ??
    null
  )
}

/** First page of the branches that docs.json marks as default. Undefined if none is marked. */
const findDefaultPage = (value: unknown, isVisible: (path: string) => boolean, depth: number): string | undefined => {
  if (depth > maxNavigationDepth || !isData(value)) return undefined
  for (const key of listKeys) {
    const items: readonly unknown[] = Array.isArray(value[key]) ? (value[key] as unknown[]) : []
    const marked = items.find((item) => asData(item)['default'] === true)
    if (marked === undefined) continue
    const pages = [...listNamedPages(marked, depth + 1)].map(({ name }) => findPath(name, isVisible))
    return findDefaultPage(marked, isVisible, depth + 1) ?? pages.find((path) => path !== undefined)
  }
  return undefined
}

const filesAtOnce = 8

export type ReadOptions = {
  withHidden?: boolean
  /** True to read the Markdown of a project whose tool is not read, as a folder. */
  render?: boolean
  readRemote?: ReadRemoteFile
}

/** Throws a readable error for a project whose tool is not read. */
export const readSite = async (
  source: SourceFolder,
  fallbackName: string,
  { withHidden = false, render = false, readRemote = () => Promise.resolve(null) }: ReadOptions = {},
): Promise<SourceSite> => {
  const reporting = { ...source, leftOut: [] as SourceSite['leftOut'] }
  const { layout, base } = await readLayout(reporting)
  const foreign = layout.kind === 'folder' ? await findForeignProject(source) : null
  if (foreign !== null && !render) throw new Error(explainForeign(foreign))
  const entered = enterFolder(source, base)
  // Readers add to it what they can't read.
  const folder = { ...entered, leftOut: reporting.leftOut }
  const leftOut: SourceSite['leftOut'] = [...entered.leftOut, ...layout.leftOut]
  const parsed = await readConfiguration(folder, leftOut)
  const found = collectPageFiles(folder.files, layout, await listNamed(layout, parsed))
  leftOut.unshift(...found.leftOut)
  leftOut.push(...listUnreadTexts(folder, layout, new Set([...found.pages, ...leftOut].map(({ file }) => file))))
  if (foreign !== null) {
    const reason = `the source is a project of ${foreign.name}, whose navigation and syntax are not read`
    leftOut.unshift({ file: foreign.file, reason })
  }
  const pages = new Map<string, SourcePage>()
  const read = async (file: PageFile) => ({ file, page: await readPage(folder, file, layout.kind) })
  for await (const { file, page } of pMapIterable(found.pages, read, { concurrency: filesAtOnce })) {
    if (page) pages.set(file.path, page)
    else if (!folder.leftOut.some((left) => left.file === file.file))
      leftOut.push({ file: file.file, reason: `it cannot be read, or has more than ${limits.pageBytes / 1024} kB` })
  }
  const own = new Map(pages)
  const findIn = (some: Pages) => createPageFinder((path) => some.has(path), found.names)
  const api = await readApiReference(folder, pages, parsed, readRemote)
  for (const page of api.pages) pages.set(page.path, page)
  leftOut.push(...api.leftOut)
  const visible = removeHiddenParts(api.docs)
  const docsFile = folder.files.has('docs.json') ? 'docs.json' : 'mint.json'
  const docs = parsed === null ? null : readDocsJson(visible, findIn(pages), docsFile)
  if (docs?.nav.length === 0 && api.nav.length === 0 && (!isData(parsed) || (parsed['navigation'] ?? null) !== null))
    reportMistake(folder, docsFile, 'it has no navigation that can be read')
  const navigation = docs && docs.nav.length > 0 ? null : await readNavigation(layout, own, findIn(own))
  for (const page of navigation?.pages ?? []) pages.set(page.path, page)
  for (const [path, title] of navigation?.titles ?? []) {
    const page = pages.get(path)!
    const sidebarTitle = toLine(title)
    const isUntitled = page.title === nameFile(page.file)
    pages.set(path, { ...page, sidebarTitle, title: (isUntitled && sidebarTitle) || page.title })
  }
  const wholeNav = [...(navigation?.nav ?? docs?.nav ?? []), ...api.nav].map(shortenTitles)
  const explain = createExplanation(folder, layout, leftOut)
  for (const path of [...(docs?.missing ?? []), ...(navigation?.missing ?? [])]) {
    leftOut.push({ file: path, reason: `the navigation names it, and ${explain(path)}` })
  }
  leftOut.push(...(navigation?.leftOut ?? []))
  // Other tools also publish pages outside their navigation.
  const isNavigationAll = wholeNav.length > 0 && (layout.kind === 'book' || (docs !== null && docs.nav.length > 0))
  const find = findIn(pages)
  const selected = selectPages({ pages, nav: wholeNav, docs: api.docs, find, isNavigationAll, withHidden })
  const redirects = new Map([...layout.redirects, ...readRedirects(parsed, selected.pages.keys())])
  const home = own.get('index')?.title
  const { problems, ...spoken } = findLanguages(selected, layout.languages)
  const brand = docs ? addPageSettings(docs.brand, selected.pages) : layout.brand
  return {
    name: toLine(docs?.name ?? layout.title ?? (home === markWord('home') ? null : home), 100) ?? fallbackName,
    description: toLine(docs?.description ?? layout.description ?? pages.get('index')?.description, 2_000),
    colors: docs?.colors ?? layout.colors,
    logo: docs?.logo ?? layout.logo,
    favicon:
      docs?.favicon ?? layout.favicon ?? findFile(folder, layout.root, '{,public/}favicon.{svg,ico,png}') ?? null,
    brand: { ...brand, leftOut: [...brand.leftOut, ...problems] },
    ...spoken,
    ...selected,
    ...translateSite(selected, spoken),
    start: findStart({ ...selected, redirects, docs: visible }),
    root: layout.root,
    dialect: layout.dialect,
    published: layout.published,
    aliases: layout.aliases,
    snippets: layout.snippets,
    formulas: await readFormulaRule(folder, layout, parsed),
    icons: readIconLibrary(parsed),
    operations: api.operations,
    schemas: api.schemas,
    variables: readVariables(parsed),
    redirects,
    leftOut: [...leftOut, ...folder.leftOut.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))],
    base,
    names: found.names,
  }
}

/** Replaces the words that the readers marked, now that the languages of the pages are known. */
const translateSite = (
  { pages, nav }: Pick<SourceSite, 'pages' | 'nav'>,
  { language, languages }: Pick<SourceSite, 'language' | 'languages'>,
): Pick<SourceSite, 'pages' | 'nav'> => {
  const show = (path: string | undefined, text: string) =>
    text.includes('\uE000') ? replaceMarks(findWording((languages.get(path ?? '') ?? language).lang), text) : text
  const showNode = (node: NavNode): NavNode =>
    node.kind === 'page'
      ? node
      : { ...node, title: show(listPages(node)[0], node.title), children: node.children.map(showNode) }
  const showPage = (page: SourcePage): SourcePage => ({
    ...page,
    title: show(page.path, page.title),
    sidebarTitle: page.sidebarTitle && show(page.path, page.sidebarTitle),
    ...(page.body !== undefined && { body: show(page.path, page.body) }),
  })
  return { pages: new Map([...pages].map(([path, page]) => [path, showPage(page)])), nav: nav.map(showNode) }
}

const addPageSettings = (brand: Brand, pages: Pages): Brand => ({
  ...brand,
  leftOut: [...brand.leftOut, ...listIgnoredPageSettings([...pages.values()].flatMap((page) => page.brand.leftOut))],
})

/** Entries of the navigation, which decide about files before any other rule. */
const listNamed = async (layout: SiteLayout, docs: unknown): Promise<Named> => {
  const entries: string[] = []
  const list: FindPage = (path) => void entries.push(path)
  if (docs !== null) readDocsJson(docs, list, '')
  if (entries.length === 0) await layout.readNavigation?.(new Map(), list)
  return { entries, isAll: entries.length > 0 && (docs !== null || layout.kind === 'book') }
}

/** Explains why a page that the navigation names is missing. */
const createExplanation = (folder: SourceFolder, { root }: SiteLayout, leftOut: SourceSite['leftOut']) => {
  const reasons = new Map(leftOut.map(({ file, reason }) => [file, reason]))
  const stems = new Map([...folder.files].map((file) => [file.replace(/\.\w+$/, ''), file]))
  const byCase = new Map([...stems].map(([stem, file]) => [stem.toLowerCase(), file]))
  return (path: string): string => {
    const written = [path, decodeAddress(path.replace(/[?#].*$/s, ''))].map((one) => posix.join('/', one))
    const names = [...written.map(normalizePath), ...written.map(trimSlashes)]
    const ends = names.flatMap((name) => [name, `${name}/index`, `${name}/README`])
    const candidates = [root, '', `${root}docs/`].flatMap((place) => ends.map((end) => place + end))
    const files = candidates.flatMap((name) => [name, `${name}.mdx`, `${name}.md`])
    const reason = files.map((file) => reasons.get(file) ?? folder.explain(file)).find(Boolean)
    const existing = candidates.map((name) => stems.get(name)).find((file) => file !== undefined)
    const similar = candidates.map((name) => byCase.get(name.toLowerCase())).find((file) => file !== undefined)
    const isOutside = path.startsWith('../') && ['', '.mdx', '.md'].some((ending) => folder.has(path + ending))
    if (isOutside) return 'it is outside of the folder of the project'
    const missing = similar === undefined ? 'there is no such page' : `${similar} has other capital letters`
    return reason ?? (existing === undefined ? missing : `${existing} is no page for its tool`)
  }
}

const readNavigation = async (layout: SiteLayout, pages: Pages, find: FindPage): Promise<ReadNavigation> => {
  const read = await layout.readNavigation?.(pages, find)
  if (read && read.nav.length > 0) return read
  return { missing: [], leftOut: [], ...read, nav: buildFolderTree([...pages.values()]), titles: new Map() }
}

/** Limited in length, because every page shows the titles of groups. */
const shortenTitles = (node: NavNode): NavNode =>
  node.kind === 'page'
    ? node
    : { ...node, title: toLine(node.title) ?? markWord('other'), children: node.children.map(shortenTitles) }

export const selectPaths = (site: SourceSite, paths: readonly string[]): SourceSite => {
  const chosen = new Set(paths.map(createPageFinder((path) => site.pages.has(path), site.names)))
  const pages = new Map([...site.pages].filter(([path]) => chosen.has(path)))
  const nav = pruneNav(site.nav, (path) => chosen.has(path))
  const start = site.start !== null && chosen.has(site.start) ? site.start : null
  return { ...site, pages, nav, start: start ?? findStart({ pages, nav, redirects: new Map(), docs: null }) }
}

const readPage = async (
  folder: ReportingFolder,
  { path, file }: PageFile,
  kind: SiteLayout['kind'],
): Promise<SourcePage | null> => {
  const content = await findText(folder, file)
  if (content === null) return null
  const { body, homeTitle, ...frontMatter } = readFrontMatter(content)
  const heading = findFirstHeading(body)
  // VitePress titles are meant for the browser's title bar, and often include the site name.
  const title =
    (kind === 'vitepress' && !heading.includes('{{') && heading) ||
    frontMatter.title ||
    homeTitle ||
    heading ||
    frontMatter.sidebarTitle ||
    nameFile(file)
  const problem = frontMatter.problem ?? findProblem(frontMatter.language)
  return {
    ...frontMatter,
    problem,
    path,
    file,
    title,
    isTitleFixed: kind === 'docs-json' && frontMatter.title !== null,
  }
}

const readConfiguration = async (folder: SourceFolder, leftOut: SourceSite['leftOut']): Promise<unknown> => {
  for (const file of ['docs.json', 'mint.json'].filter((name) => folder.files.has(name))) {
    const parsed = await readJsonWithReferences(folder, file, (left, reason) => leftOut.push({ file: left, reason }))
    if (parsed !== null) return file === 'mint.json' ? toDocsJson(parsed) : parsed
  }
  return null
}

/** Maximum length of a title. Characters. */
const maxHeading = 300

/** Text of the first `# heading` outside code, or `''`. Takes linear time on any input. */
const findFirstHeading = (body: string): string => {
  const isCode = createCodeLineTest()
  for (const line of body.split('\n')) {
    if (isCode(line) || !/^#[ \t]/.test(line)) continue
    // The regular expressions take quadratic time.
    const text = toPlainText(copyText(line.slice(1, maxHeading)))
    if (text !== '') return text
  }
  return ''
}

const toPlainText = (markdown: string) =>
  markdown
    .trim()
    .replace(/[ \t]#+$/, '')
    .replace(/%?\{:?\s*[#.][^{}]*\}%?$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*\\]/g, '')
    .trim()

/** `docs` is a parsed docs.json, or null. */
const readIconLibrary = (docs: unknown): IconLibrary => {
  const library = readOwn(readOwn(docs, 'icons'), 'library')
  if (library === 'lucide' || library === 'tabler') return library
  return docs === null ? 'lucide' : 'fontawesome'
}

/** Settings of tools that read formulas only if these words are in their configuration, which is not run. */
const formulaSettings: Partial<Record<SiteLayout['kind'], readonly [words: RegExp, rule: FormulaRule]>> = {
  vitepress: [/\bmath\s*:\s*(true|\{)/, 'dollars'],
  docusaurus: [/remark-?math/i, 'dollars'],
  starlight: [/remark-?math/i, 'dollars'],
  mkdocs: [/arithmatex|mdx_math/, 'tex'],
  book: [/mathjax-support\s*=\s*true|katex/, 'tex'],
}

/** Formula notation, from the configuration of the tool. `docs` is a parsed docs.json, or null. */
const readFormulaRule = async (
  folder: ReportingFolder,
  { kind, brand }: SiteLayout,
  docs: unknown,
): Promise<FormulaRule> => {
  if (docs !== null) return readOwn(readOwn(docs, 'styling'), 'latex') === false ? 'none' : 'dollars'
  const [words, rule] = formulaSettings[kind] ?? []
  if (words === undefined || rule === undefined || brand.file === '') return 'dollars'
  return words.test(await readText(folder, brand.file)) ? rule : 'none'
}
