import { openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'
import { limits } from './limits.ts'

/** A page before it is read: its path on the site (`guide/start`, `index`) and its file. */
export type PageFile = { path: string; file: string }

/** What became of the Markdown files: the pages, and the files that are none and why. */
export type PageFiles = { pages: PageFile[]; leftOut: { file: string; reason: string }[] }

const markdown = /\.mdx?$/i

/** Which files may be pages: those below `root` that nothing speaks against. */
export type PageRules = { root: string; reasonAgainst(file: string): string | null }

/** Gives every Markdown file the path of its page. `index` and README are the page of their folder; of two files for one path the first wins. */
export const collectPageFiles = (files: Iterable<string>, { root, reasonAgainst }: PageRules): PageFiles => {
  const byPath = new Map<string, PageFile>()
  const leftOut: PageFiles['leftOut'] = []
  for (const file of [...files].filter((name) => markdown.test(name) || isMirrored(name)).toSorted(byPrecedence)) {
    if (!file.startsWith(root) || isFragment(file)) continue
    const name = file.slice(root.length)
    const folderPage = pathOfFile(name.replace(/((?:^|\/)readme|^index)(?=\.mdx?$)/i, indexIn))
    // Beside an index, a README is a page of its own.
    const path = byPath.has(folderPage.toLowerCase()) ? pathOfFile(name) : folderPage
    // Two names that differ in case only would be one file where the bundle is unpacked on macOS or Windows.
    const rival = byPath.get(path.toLowerCase())
    const reason =
      reasonAgainst(file) ??
      (rival ? `its page has the same address as ${rival.file}` : null) ??
      (Buffer.byteLength(path) > maxPathBytes ? 'its path is too long for some file systems' : null) ??
      (byPath.size >= limits.pages ? `a site may have ${limits.pages} pages` : null)
    if (reason === null) byPath.set(path.toLowerCase(), { path, file })
    else leftOut.push({ file, reason })
  }
  return { pages: [...byPath.values()], leftOut }
}

/** Path as people type it: `/guide/start/`, `guide/start.md` and `guide/start` are one. The start page is `index`. */
export const normalPath = (path: string): string => {
  let [start, end] = [0, path.length]
  // A regular expression would take time in proportion to the square of a row of slashes.
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  const name = path.slice(start, end).replace(/\.(mdx?|html)$/i, '')
  return name === '' || /^index$/i.test(name) ? 'index' : name
}

const everything: PageRules = { root: '', reasonAgainst: () => null }

/** Where the pages of a site may begin. The configuration of the site tells, and is read by worker processes only. */
const usualRoots = ['', 'src/', 'docs/', 'docs/src/']

/** Those of `paths` that can be no page of the site in `folder`. */
export const unknownPaths = async (folder: string, paths: readonly string[]): Promise<string[]> => {
  const source = await openSourceFolder(folder)
  const { pages } = collectPageFiles(source.files, everything)
  const known = new Set(pages.map(({ path }) => path.toLowerCase()))
  const exists = (candidate: string) => usualRoots.some((root) => known.has((root + candidate).toLowerCase()))
  const unknown = paths.filter((path) => !findPath(path, exists))
  if (unknown.length === 0) return []
  const mayBeOperation = await operationPaths(source)
  return unknown.filter((path) => !mayBeOperation(normalPath(path)))
}

/** Where pages of operations are when nothing says otherwise. */
export const apiDirectory = 'api-reference'

/**
 * Which paths OpenAPI documents may add pages at, by the usual names of documents and what docs.json, as text, speaks of. How the pages
 * are called is in the documents, which only a worker process reads.
 */
const operationPaths = async (folder: SourceFolder): Promise<(path: string) => boolean> => {
  let isUsed = [...folder.files].some(isApiDocumentName)
  for (const file of ['docs.json', 'mint.json'].filter((name) => folder.files.has(name))) {
    const text = (await folder.read(file, limits.pageBytes * 4))?.toString('utf8') ?? ''
    if (/"(directory|\$ref)"/.test(text)) return () => true
    isUsed ||= text.includes('"openapi"')
  }
  return (path) => isUsed && path.toLowerCase().startsWith(`${apiDirectory}/`)
}

/** Where people put their OpenAPI document, and not too deep, where examples and test data are. */
export const isApiDocumentName = (file: string): boolean =>
  /^(?:[^/]+\/){0,2}(?:[^/]*[.-])?openapi\.(?:json|ya?ml)$/i.test(file)

/** The first address that `path` may mean for which `exists` holds: itself, or the page of that folder. */
export const findPath = (path: string, exists: (candidate: string) => boolean): string | undefined =>
  [normalPath(path), `${normalPath(path)}/index`, normalPath(path).replace(/(^|\/)readme$/i, '$1index')].find(exists)

/** Pieces that pages include; they are no pages themselves. */
const isFragment = (file: string) => file.split('/').some((part) => part.startsWith('_') || part === 'snippets')

const mirroredEnding = '.mirrored.html'

/** File of a page that was read from another site. With a sign in front no name means anything to us: neither `_x` nor `build`. */
export const mirroredFile = (path: string) => `${path.replaceAll(/(?<=^|\/)/g, '=')}${mirroredEnding}`

/** Whether a file holds such a page, as HTML. */
export const isMirrored = (file: string) => file.endsWith(mirroredEnding)

const pathOfFile = (file: string) =>
  (isMirrored(file) ? file.slice(0, -mirroredEnding.length).replaceAll(/(?<=^|\/)=/g, '') : file.replace(markdown, ''))
    .split('/')
    .map(safeSegment)
    .map((part, at, parts) => (at < parts.length - 1 ? safeFolder(part, at, parts) : part))
    .join('/')

/** A folder of the bundle must not have the name of a file that may stand beside it: `a.html/b.html` beside `a.html`. */
const safeFolder = (name: string, at: number, parts: readonly string[]) => {
  if (at === 0 && /^_docket$/i.test(name)) return 'docket'
  // Copied files are named `media/name.digest.png`.
  if (at === 1 && /^media$/i.test(parts[0]!)) return name.replaceAll('.', '-')
  return name.replace(/\.(html|xml|json)$/i, '-$1')
}

/** Whether no folder in the path of a page has the name of a file that may stand beside it. */
export const hasSafeFolders = (path: string): boolean =>
  path.split('/').every((part, at, parts) => at === parts.length - 1 || safeFolder(part, at, parts) === part)

/** A name that every file system and web server takes as it is. Letters of any script stay. */
export const safeSegment = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 80)
    // The cut may have gone through a character of two units, of which half encodes as nothing.
    .toWellFormed()
    .replace(/[-.\uFFFD]+$/, '')
    .replace(reserved, '$1-page') || 'page'

/** Devices on Windows, whatever stands behind the dot. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
/** Longest path of a page; whoever unpacks a bundle puts a path of theirs before it. Bytes. */
const maxPathBytes = 1_000

const indexIn = (name: string) => (name.startsWith('/') ? '/index' : 'index')

/** `index` before README, .mdx before .md, otherwise by name. */
const byPrecedence = (a: string, b: string) => rank(a) - rank(b) || (a < b ? -1 : 1)
const rank = (file: string) => (/(^|\/)readme\.mdx?$/i.test(file) ? 2 : 0) + (file.endsWith('.md') ? 1 : 0)
