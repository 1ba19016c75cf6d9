import { openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'
import { limits } from './limits.ts'

/** Path of the page that hosts show for addresses without a page. It has no address of its own. */
export const notFoundPath = '404'

/** Path on the site (`guide/start`, `index`) and source file of a page. */
export type PageFile = { path: string; file: string }

export type PageFiles = { pages: PageFile[]; leftOut: { file: string; reason: string }[] }

const markdown = /\.mdx?$/i

export type PageRules = {
  root: string
  reasonAgainst(file: string): string | null
  /** File name from which the path of a page is derived; null if a file is not a page. By default, the name below `root`. */
  toPageName?: ((file: string) => string | null) | null
}

/** Assigns page paths. `index` and README name their folder; the first file wins a path. */
export const collectPageFiles = (files: Iterable<string>, rules: PageRules): PageFiles => {
  const byPath = new Map<string, PageFile>()
  const leftOut: PageFiles['leftOut'] = []
  for (const file of [...files].filter((name) => markdown.test(name) || isMirrored(name)).toSorted(comparePrecedence)) {
    const name = readName(file, rules)
    if (name === null) continue
    const folderPage = toPagePath(name.replace(/((?:^|\/)readme|^index)(?=\.mdx?$)/i, findIndexName))
    // If the folder has an index page, a README is an ordinary page.
    const path = byPath.has(folderPage.toLowerCase()) ? toPagePath(name) : folderPage
    // macOS and Windows ignore case.
    const rival = byPath.get(path.toLowerCase())
    const reason =
      rules.reasonAgainst(file) ??
      (rival ? `its page has the same address as ${rival.file}` : null) ??
      (Buffer.byteLength(path) > maxPathBytes ? 'its path is too long for some file systems' : null) ??
      (byPath.size >= limits.pages ? `a site may have ${limits.pages} pages` : null)
    if (reason === null) byPath.set(path.toLowerCase(), { path, file })
    else leftOut.push({ file, reason })
  }
  return { pages: [...byPath.values()], leftOut }
}

const readName = (file: string, { root, toPageName }: PageRules) => {
  if (toPageName) return toPageName(file)
  return file.startsWith(root) && !isFragment(file) ? file.slice(root.length) : null
}

/** Normalizes `/guide/start/` and `guide/start.md` to `guide/start`. The start page is `index`. */
export const normalizePath = (path: string): string => {
  let [start, end] = [0, path.length]
  // A regular expression would take quadratic time.
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  const name = path.slice(start, end).replace(/\.(mdx?|html)$/i, '')
  return name === '' || /^index$/i.test(name) ? 'index' : name
}

const everything: PageRules = { root: '', reasonAgainst: () => null }

/** Usual page folders, used where the configuration is not read: only worker processes read it. */
const usualRoots = ['', 'src/', 'docs/', 'docs/src/']

export const findUnknownPaths = async (folder: string, paths: readonly string[]): Promise<string[]> => {
  const source = await openSourceFolder(folder)
  const { pages } = collectPageFiles(source.files, everything)
  const known = new Set(pages.map(({ path }) => path.toLowerCase()))
  const exists = (candidate: string) => usualRoots.some((root) => known.has((root + candidate).toLowerCase()))
  const unknown = paths.filter((path) => !findPath(path, exists))
  if (unknown.length === 0) return []
  const mayBeOperation = await createOperationPathTest(source)
  return unknown.filter((path) => !mayBeOperation(normalizePath(path)))
}

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
  const listed = [name, `${name}/index`, name.replace(/(^|\/)readme$/i, '$1index')].find(exists)
  if (listed !== undefined || name.split('/').some((part) => part === '' || part.startsWith('.'))) return listed
  // Page paths drop parts of file names that no address may have, such as a trailing hyphen.
  return [toSafePath(name), `${toSafePath(name)}/index`].find(exists)
}

/** True for files that are only included by other pages. */
const isFragment = (file: string) => file.split('/').some((part) => part.startsWith('_') || part === 'snippets')

const mirroredEnding = '.mirrored.html'

/** File of a mirrored page. The prefix keeps names such as `_x` and `build` from being treated specially. */
export const toMirroredFile = (path: string) => `${path.replaceAll(/(?<=^|\/)/g, '=')}${mirroredEnding}`

export const isMirrored = (file: string) => file.endsWith(mirroredEnding)

const toPagePath = (file: string) =>
  toSafePath(
    isMirrored(file) ? file.slice(0, -mirroredEnding.length).replaceAll(/(?<=^|\/)=/g, '') : file.replace(markdown, ''),
  )

const toSafePath = (name: string) =>
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
const rankFile = (file: string) => (/(^|\/)readme\.mdx?$/i.test(file) ? 2 : 0) + (file.endsWith('.md') ? 1 : 0)
