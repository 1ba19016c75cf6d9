import { type LeftOut, openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'
import { posix } from 'node:path'
import { decodeAddress, trimSlashes } from './data.ts'
import { limits } from './limits.ts'

/** Path of the page that hosts show for addresses without a page. It has no address of its own. */
export const notFoundPath = '404'

/** Path on the site (`guide/start`, `index`) and source file of a page. */
export type PageFile = { path: string; file: string }

/** With a `kind`, the file is part of the site, and there is something to say about it. */
export type ReportedFile = LeftOut & { kind?: 'left-out' | 'not-understood' }

export type PageFiles = {
  pages: PageFile[]
  leftOut: ReportedFile[]
  /** Paths by file and by page name, for pages whose path isn't their name: `lang/C++` has `lang/C-2`. */
  names: ReadonlyMap<string, string>
}

const markdown = /\.mdx?$/i

export type PageRules = {
  root: string
  /** Rule of the owner or the tool by which a file is never a page. */
  reasonAgainst(file: string): string | null
  /** Rule by which a file is a page only if the navigation names it. */
  reasonUnlessNamed?(file: string): string | null
  /** File name from which the path of a page is derived; null if a file is not a page. By default, the name below `root`. */
  toPageName?: ((file: string) => string | null) | null
}

/** Entries of the navigation, in its order. */
export type Named = { entries: readonly string[]; isAll: boolean }

type Candidate = { file: string; name: string; rank: number; unlessNamed: LeftOut | null }

/**
 * Assigns page paths. `index` and README name their folder. If files have the same path, the name that needs no change
 * gets it, then the first file; the others get numbers. Without `named`, every file that may be a page is one.
 * Throws a readable error if the site has too many pages. `named.isAll`: the tool publishes only what it names.
 */
export const collectPageFiles = (files: Iterable<string>, rules: PageRules, named?: Named): PageFiles => {
  const leftOut = new Map<string, ReportedFile>()
  const leave = (file: string, reason: string) => leftOut.set(file, { file, reason })
  const byPath = new Map<string, Candidate & PageFile>()
  const rivals: (Candidate & PageFile)[] = []
  for (const candidate of listCandidates([...files], rules, leave)) {
    const { name } = candidate
    const folderPage = toPagePath(name.replace(/((?:^|\/)readme|^index)(?=\.mdx?$)/i, findIndexName))
    // If the folder has an index page, a README is an ordinary page. macOS and Windows ignore case.
    const path = byPath.has(folderPage.toLowerCase()) ? toPagePath(name) : folderPage
    if (byPath.has(path.toLowerCase())) rivals.push({ ...candidate, path })
    else byPath.set(path.toLowerCase(), { ...candidate, path })
  }
  const numbers = new Map<string, number>()
  for (const { path, ...candidate } of rivals) {
    const key = path.toLowerCase()
    let number = numbers.get(key) ?? 2
    while (byPath.has(`${key}-${number}`)) number++
    numbers.set(key, number)
    const numbered = `${path}-${number}`
    byPath.set(numbered.toLowerCase(), { ...candidate, path: numbered })
    const reason = `its page has the address ${numbered}, because ${byPath.get(key)!.file} has ${path}`
    leftOut.set(candidate.file, { file: candidate.file, reason, kind: 'left-out' })
  }
  const hasPath = (path: string) => byPath.get(path.toLowerCase())?.path === path
  const names = new Map(
    [...byPath.values()].toReversed().flatMap((page) => listNames(page, leftOut.has(page.file), hasPath)),
  )
  const find = createPageFinder(hasPath, names)
  const wanted = new Set(named?.entries.map(find))
  const isWanted = ({ path }: PageFile) => named === undefined || wanted.has(path)
  let pages = [...byPath.values()].filter((page) => {
    const { file, path, unlessNamed } = page
    if (Buffer.byteLength(path) > maxPathBytes) leave(file, 'its path is too long for some file systems')
    else if (unlessNamed === null || isWanted(page)) return true
    else if (leftOut.delete(file) || unlessNamed.reason !== '') leave(unlessNamed.file, unlessNamed.reason)
    return false
  })
  if (named && pages.length > limits.pages) {
    const chosen = named.isAll ? pages.filter(isWanted) : pages
    if (named.isAll)
      leave(
        rules.root || '.',
        `${pages.length - chosen.length} files have no entry, and a site may have ${limits.pages} pages`,
      )
    pages = chosen
    if (pages.length > limits.pages) throw new Error(describeExcess(pages.length))
  }
  return { pages: pages.toSorted((a, b) => comparePrecedence(a.file, b.file)), leftOut: [...leftOut.values()], names }
}

const describeExcess = (pages: number) =>
  `The source has ${pages} pages, and a site may have ${limits.pages}. Export a folder inside it, such as one language or version`

/** Files that may be pages: names that need no change come first, and files that the navigation must name come last. */
const listCandidates = (files: string[], rules: PageRules, leave: (file: string, reason: string) => void) => {
  // In the folder of the docs, and for tools that list their pages, each folder holds content.
  const findOutput = rules.root === '' && !rules.toPageName ? createOutputRule(files) : () => null
  const findUnlessNamed = (file: string, name: string): LeftOut | null => {
    // Files that other pages include need no remark.
    if (!rules.toPageName && isFragment(name)) return { file, reason: '' }
    const isDotted = /(?:^|\/)\.[^/]*$/.test(file)
    const reason = isDotted ? 'its name begins with a dot, and no entry names it' : rules.reasonUnlessNamed?.(file)
    return findOutput(file) ?? (reason ? { file, reason } : null)
  }
  const candidates = files.flatMap((file): Candidate[] => {
    if (!markdown.test(file)) return []
    const inside = file.startsWith(rules.root) ? file.slice(rules.root.length) : null
    const name = rules.toPageName ? rules.toPageName(file) : inside
    const against = name === null ? null : rules.reasonAgainst(file)
    if (against !== null) leave(file, against)
    if (name === null || against !== null) return []
    const unlessNamed = findUnlessNamed(file, name)
    const isPlain = toSafePath(name) === name
    return [{ file, name, unlessNamed, rank: (unlessNamed ? 8 : 0) + rankFile(file) + (isPlain ? 0 : 2) }]
  })
  return candidates.toSorted((a, b) => a.rank - b.rank || (a.file < b.file ? -1 : 1))
}

/** The outermost folder called `build`, `dist` or `vendor` in a path, with a trailing slash. */
const readOutputFolder = (file: string) => /^(?:.*?\/)??(?:build|dist|vendor)\//.exec(file)?.[0]

const media = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|pdf)$/i

/** Finds files in folders of build output: they have a usual name, and more other files than Markdown, pictures aside. */
export const createOutputRule = (files: readonly string[]): ((file: string) => LeftOut | null) => {
  const counts = new Map<string, { pages: number; others: number }>()
  for (const file of files) {
    const folder = readOutputFolder(file)
    if (folder === undefined || media.test(file)) continue
    const count = counts.get(folder) ?? { pages: 0, others: 0 }
    count[markdown.test(file) ? 'pages' : 'others'] += 1
    counts.set(folder, count)
  }
  return (file) => {
    const folder = readOutputFolder(file) ?? ''
    const { pages, others } = counts.get(folder) ?? { pages: 0, others: 0 }
    const reason = `its name and its ${others} files besides Markdown are those of build output, so only what the navigation names in it is a page`
    return others > pages ? { file: folder, reason } : null
  }
}

/** Names by which nothing but `names` finds a page: its file, and what its path had to change. */
const listNames = (
  { file, name, path }: Candidate & PageFile,
  isNumbered: boolean,
  hasPath: (path: string) => boolean,
) => {
  const stem = name.replace(markdown, '')
  const folder = stem.replace(/(?:^|\/)(?:index|readme)$/i, '')
  const changed = [stem, folder].filter((key) => toSafePath(key) !== key)
  if (changed.length === 0 && !isNumbered) return []
  return [file, name, ...changed, ...(hasPath(stem) ? [] : [stem])].map((key): [string, string] => [key, path])
}

export type FindPage = (path: string) => string | undefined

/** Finds pages by name or address. `names` come from `collectPageFiles`. */
export const createPageFinder =
  (exists: (path: string) => boolean, names: PageFiles['names']): FindPage =>
  (path) => {
    const findExact = (text: string) => {
      const named = names.get(trimSlashes(text)) ?? names.get(normalizePath(text))
      return named !== undefined && exists(named) ? named : findPath(text, exists)
    }
    return findExact(path) ?? findExact(toFileName(path)) ?? findExact(toFileName(path.replace(/[?#].*$/s, '')))
  }

/** File name that is written as an address, or as Windows writes it. */
const toFileName = (path: string) => posix.normalize(decodeAddress(path.trim()).replaceAll('\\', '/'))

/** Normalizes `/guide/start/` and `guide/start.md` to `guide/start`. The start page is `index`. */
export const normalizePath = (path: string): string => {
  const name = trimSlashes(path).replace(/\.(mdx?|html)$/i, '')
  return name === '' || /^index$/i.test(name) ? 'index' : name
}

const everything: PageRules = { root: '', reasonAgainst: () => null }

/** Lists paths that no page can have, wherever the project is: only worker processes read the configuration. */
export const findUnknownPaths = async (folder: string, paths: readonly string[]): Promise<string[]> => {
  const source = await openSourceFolder(folder)
  const { pages } = collectPageFiles(source.files, everything)
  const known = new Set(pages.flatMap(({ path }) => listEnds(path.toLowerCase())))
  const unknown = paths.filter((path) => !findPath(path, (candidate) => known.has(candidate.toLowerCase())))
  if (unknown.length === 0) return []
  const mayBeOperation = await createOperationPathTest(source)
  return unknown.filter((path) => !mayBeOperation(normalizePath(path)))
}

/** A path as seen from each folder above it. */
const listEnds = (path: string) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))

export const apiDirectory = 'api-reference'

/** Creates a check for paths that OpenAPI documents may add. Only worker processes parse the documents. */
const createOperationPathTest = async (folder: SourceFolder): Promise<(path: string) => boolean> => {
  // OpenAPI documents can only be recognised by their content.
  let isUsed = [...folder.files].some(
    (file) => /\.(?:json|ya?ml)$/.test(file) && !/(?:^|\/)(?:docs|mint)\.json$/.test(file),
  )
  for (const file of ['docs.json', 'mint.json'].filter((name) => folder.files.has(name))) {
    const text = (await folder.read(file, limits.pageBytes * 4))?.toString('utf8') ?? ''
    if (/"(directory|\$ref)"/.test(text)) return () => true
    isUsed ||= text.includes('"openapi"')
  }
  return (path) => isUsed && path.toLowerCase().startsWith(`${apiDirectory}/`)
}

/** True for usual file names near the root; deeper files are examples and tests. */
export const isApiDocumentName = (file: string): boolean =>
  /^(?:[^/]+\/){0,2}(?:[^/]*[.-])?openapi\.(?:json|ya?ml)$/i.test(file)

/** Finds the page for `path`: the page itself, the index of the folder, or the page of a file with that name. */
export const findPath = (path: string, exists: (candidate: string) => boolean): string | undefined => {
  const name = normalizePath(path)
  // Only part of a name may look like an ending, as of `page.html.md`.
  const listed = [name, `${name}/index`, name.replace(/(^|\/)readme$/i, '$1index'), trimSlashes(path)].find(exists)
  if (listed !== undefined || name.split('/').some((part) => part === '' || part.startsWith('.'))) return listed
  // Page paths drop parts of file names that no address may have, such as a trailing hyphen.
  return [toSafePath(name), `${toSafePath(name)}/index`].find(exists)
}

/** True for files that are only included by other pages. */
const isFragment = (file: string) => file.split('/').some((part) => /^(?:_.*|snippets|\.gitbook)$/s.test(part))

const toPagePath = (file: string) => toSafePath(file.replace(markdown, ''))

/** Makes each part of a path safe, so that folders and files never have the same name. */
export const toSafePath = (name: string) =>
  name
    .split('/')
    .map(toSafeSegment)
    .map((part, at, parts) => (at < parts.length - 1 ? toSafeFolder(part, at, parts) : part))
    .join('/')

/** Keeps folders and files from having the same name: `a.html/b.html` and `a.html`, or `a.md/b.md` and the copy of `a`. */
const toSafeFolder = (name: string, at: number, parts: readonly string[]) => {
  if (at === 0 && /^_docket$/i.test(name)) return 'docket'
  // Media files are named `media/name.digest.png`.
  if (at === 1 && /^media$/i.test(parts[0]!)) return name.replaceAll('.', '-')
  return name.replace(/\.(html|xml|json|md|txt)$/i, '-$1')
}

/** True when no folder in a path can clash with a file. */
export const hasSafeFolders = (path: string): boolean =>
  path.split('/').every((part, at, parts) => at === parts.length - 1 || toSafeFolder(part, at, parts) === part)

/** Turns a name into one that every file system and web server accepts. Keeps letters of all scripts. */
export const toSafeSegment = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 80)
    // The cut may split a surrogate pair.
    .toWellFormed()
    .replace(/[-.\uFFFD]+$/, '')
    .replace(reserved, '$1-page') || 'page'

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
/** Maximum length of a path; leaves room for the folder of an unpacked bundle. Bytes. */
const maxPathBytes = 1_000

const findIndexName = (name: string) => (name.startsWith('/') ? '/index' : 'index')

/** `index` before README, .mdx before .md, then by name. */
const comparePrecedence = (a: string, b: string) => rankFile(a) - rankFile(b) || (a < b ? -1 : 1)
const rankFile = (file: string) => (isReadme(file) ? 4 : 0) + (file.endsWith('.md') ? 1 : 0)
const isReadme = (file: string) => /(^|\/)readme\.mdx?$/i.test(file)
