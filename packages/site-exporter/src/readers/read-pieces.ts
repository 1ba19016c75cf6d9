import { posix } from 'node:path'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import {
  createEmptyPieces,
  rawMark,
  formatSnippetName,
  registeredName,
  type PagePieces,
  type Piece,
} from '#markdown/mdx/page-pieces.ts'
import { stringsName } from '#markdown/sfc/component-files.ts'
import { globalMark } from '#markdown/sfc/vue-page.ts'
import type { Dialect } from '#markdown/slugs.ts'
import { readPageBody } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'
import type { PieceReader } from './piece-reader.ts'
import { includeFiles } from './includes.ts'
import { includeSnippets } from './snippets.ts'

const maxDepth = 8
/** Maximum length of the names between `import` and `from`. Characters. */
const importLine =
  /^[ \t]*(?:import|export)\s(?:[^'"`;()=]{0,500}?\sfrom\s*)?["']([^"'\n]{1,300})["']|\b(?:require|import)\(["']([^"'\n]{1,300})["']\)/gm
const snippetTag = /<Snippet\s[^<>]{0,500}?\bfile=(?:\{\s*)?["']([^"'\n]{1,300})["']/g
const endings = '.mdx .md .jsx .tsx .js .ts .json /index.jsx /index.tsx /index.js /index.ts'.split(' ')
const isText = /\.(mdx?|[cm]?[jt]sx?|json|astro|vue)$/i
/** Files whose address is their value. */
const isAsset = /\.(png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|mp3|pdf|zip)$/i

/** Imports whose value is the text of a file. */
const rawImport = /^!*raw-loader!|\?raw$/

/** Reads the local files that a page imports, and the files that those import. Each file is read once. */
export const readPieces = async (
  reader: PieceReader,
  root: string,
  file: string,
  body: string,
  dialect: Dialect,
): Promise<PagePieces> => {
  const pieces = new Map<string, Piece>()

  const readFirst = async (candidates: readonly string[], depth: number): Promise<string | null> => {
    for (const candidate of candidates) {
      if (pieces.has(candidate)) return candidate
      if (isAsset.test(candidate)) {
        pieces.set(candidate, { file: candidate, source: null, imports: [] })
        return candidate
      }
      if (!isText.test(candidate) || depth > maxDepth) continue
      const content = await reader.read(candidate, limits.pageBytes)
      if (!content) continue
      const isPage = /\.mdx?$/i.test(candidate)
      const source = isPage ? await includeFiles(reader, root, candidate, readPageBody(content)) : content
      const piece: Piece = { file: candidate, source, imports: [] }
      // Registered before its imports are read, so that cycles end.
      pieces.set(candidate, piece)
      piece.imports = await readImports(candidate, source, depth + 1)
      return candidate
    }
    return null
  }

  const readRaw = async (candidates: readonly string[]): Promise<string | null> => {
    for (const candidate of candidates) {
      const name = rawMark + candidate
      const source = pieces.get(name)?.source ?? (await reader.read(candidate, limits.pageBytes))
      if (source === null) continue
      pieces.set(name, { file: name, source, imports: [] })
      return name
    }
    return null
  }

  /** Why an import of the source has no file. Null for packages and for what a tool brings. */
  const explainGap = async (specifier: string, candidates: readonly string[]): Promise<string | null> => {
    const reason = specifier.startsWith('@theme/') ? null : reader.explain(candidates)
    if (reason !== null || !/^(?:\.\.?)?\//.test(specifier)) return reason
    const contents = await Promise.all(candidates.map((file) => reader.read(file, limits.pageBytes)))
    return contents.some((content) => content !== null) ? null : 'there is no such file'
  }

  const readImports = async (from: string, text: string, depth: number): Promise<Piece['imports']> => {
    const found: Piece['imports'] = []
    const visible = /\.mdx?$/i.test(from) ? removeCode(text) : text
    const specifiers = new Set([...visible.matchAll(importLine)].map((match) => match[1] ?? match[2]!))
    for (const specifier of specifiers) {
      const candidates = listCandidates(from, specifier, root)
      const path = rawImport.test(specifier) ? await readRaw(candidates) : await readFirst(candidates, depth)
      const reason = path === null ? await explainGap(specifier, candidates) : null
      if (path !== null) found.push([specifier, path])
      else if (reason !== null) reader.addProblem(`the import ${specifier}: ${reason}`)
    }
    for (const name of new Set([...visible.matchAll(snippetTag)].map(([, name = '']) => name))) {
      const places = ['_snippets/', 'snippets/', ''].flatMap((folder) =>
        [root, ''].map((base) => posix.join(base, folder, posix.normalize(`/${name}`))),
      )
      const path = await readFirst([...new Set(places)], depth)
      if (path !== null) found.push([formatSnippetName(name), path])
    }
    return found
  }

  const readTheme = async (): Promise<Piece['imports']> => {
    const read = (name: string) => reader.read(name, limits.pageBytes)
    const found: Piece['imports'] = []
    for (const { name, folder, specifier } of await readRegisteredComponents(read, root)) {
      if (![body, ...[...pieces.values()].map(({ source }) => source ?? '')].some((text) => hasElement(text, name)))
        continue
      const path = await readFirst(listCandidates(`${folder}index.ts`, specifier, root), 0)
      if (path !== null) found.push([globalMark + name, path])
    }
    return found
  }

  const isVue = dialect === 'vitepress'
  const mayUseRegistered = dialect === 'docusaurus' && /<[A-Z]/.test(body)
  const mayUse = isVue ? /<script\b|<[A-Z]|<\w+-/ : /^[ \t]*(?:import|export)\s|<Snippet\s|\brequire\(/m
  if (!mayUse.test(body) && !mayUseRegistered) return createEmptyPieces(file)
  const imports = await readImports(file, body, 0)
  if (isVue) imports.push(...(await readTheme()))
  const registered = mayUseRegistered ? await readFirst(listCandidates(file, `/${registeredName}`, root), 0) : null
  if (registered !== null) imports.push([registeredName, registered])
  const strings = await readFirst(listStrings(root, file, pieces.values()), 0)
  if (strings !== null) imports.push([stringsName, strings])
  const hasPages = [...pieces.keys()].some((name) => /\.mdx?$/i.test(name))
  const plainBody = hasPages && /\.mdx$/i.test(file) ? await includeSnippets(reader, file, body) : null
  return { file, imports, pieces: [...pieces.values()], plainBody }
}

/** Files that an import may refer to, the most likely first. None for a package. */
const listCandidates = (from: string, specifier: string, root: string): string[] => {
  const path = specifier.replace(/^!*raw-loader!|[?#].*$/gs, '')
  const places = /^\.\.?\//.test(path)
    ? [posix.join(posix.dirname(from), path)]
    : path.startsWith('/')
      ? [path.slice(1), root + path.slice(1)]
      : path.startsWith('@theme/')
        ? listThemeFolders(root).map((folder) => folder + path.slice('@theme/'.length))
        : /^@site\/|^[@~]\//.test(path)
          ? ['', root, 'src/'].map((base) => base + path.replace(/^[@~](site)?\//, ''))
          : []
  const normal = [...new Set(places.map((place) => posix.normalize(place)))]
  return /\.\w{1,6}$/.test(path) && !path.endsWith('.data')
    ? normal
    : normal.flatMap((place) => endings.map((ending) => place + ending))
}

const removeCode = (text: string): string => {
  const isCode = createCodeLineTest()
  return text
    .split('\n')
    .map((line) => (isCode(line) ? '' : line))
    .join('\n')
}

const registration = /\.component\(\s*["']([\w-]{1,100})["']\s*,\s*([A-Za-z_$][\w$]{0,100})\s*\)/g
const defaultImport = /^import\s+([A-Za-z_$][\w$]{0,100})\s+from\s+["']([^"'\n]{1,300})["']/gm
const themeFiles = ['index.ts', 'index.js', 'index.mts', 'index.mjs']

/** Possible folders of the VitePress theme of a site at `root`, the most likely first. */
const listThemeFolders = (root: string): string[] =>
  [...new Set([root, posix.join(root, '../'), ''])]
    .filter((folder) => !folder.startsWith('..'))
    .map((folder) => posix.join(folder, '.vitepress/theme/'))

/** Components that a theme registers for every page: their names in pages, and their files. */
const readRegisteredComponents = async (
  read: (file: string) => Promise<string | null>,
  root: string,
): Promise<{ name: string; folder: string; specifier: string }[]> => {
  for (const folder of listThemeFolders(root))
    for (const file of themeFiles) {
      const source = await read(folder + file)
      if (source === null) continue
      const imports = new Map([...source.matchAll(defaultImport)].map(([, local = '', from = '']) => [local, from]))
      return [...source.matchAll(registration)].flatMap(([, name = '', local = '']) => {
        const specifier = imports.get(local)
        return specifier === undefined ? [] : [{ name: toCapitals(name), folder, specifier }]
      })
    }
  return []
}

const toCapitals = (name: string) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const hasElement = (text: string, name: string): boolean =>
  new RegExp(`<${name.replaceAll(/(?<=.)([A-Z])/g, '-?$1')}[\\s/>]`, 'i').test(text)

/** Files with the texts of a Starlight site, the language of a page first. None for components that do not mention them. */
const listStrings = (root: string, file: string, pieces: Iterable<Piece>): string[] => {
  if (![...pieces].some(({ source }) => source?.includes('locals.t('))) return []
  const [language = ''] = file.slice(root.length).split('/')
  return [language, 'en'].map((name) => posix.join(root, '../i18n', `${name}.json`))
}

const tag = /(`+)[^`]*\1|<[A-Za-z][\w.-]*(?:\s+(?:[^\s"'<>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?))*\s*\/?>/g
const vueAttribute = /(\s)(?:@[\w:.-]+(?:=(?:"[^"]*"|'[^']*'))?|#([\w-]+))(?=[\s=/>])/g

/** Markdown does not allow attributes such as `@click` and `#title`: removes events, and gives slots their long name. */
export const openVueTags = (markdown: string): string => {
  if (!/\s[@#][\w-]/.test(markdown)) return markdown
  const isCode = createCodeLineTest()
  const parts: { isCode: boolean; lines: string[] }[] = []
  for (const line of markdown.split('\n')) {
    const code = isCode(line)
    const last = parts.at(-1)
    if (last?.isCode === code) last.lines.push(line)
    else parts.push({ isCode: code, lines: [line] })
  }
  return parts.map(({ isCode: code, lines }) => (code ? lines.join('\n') : openTags(lines.join('\n')))).join('\n')
}

const openTags = (text: string) =>
  text.replace(tag, (whole) =>
    whole.startsWith('`')
      ? whole
      : whole.replace(vueAttribute, (_, space: string, slot?: string) => (slot ? `${space}v-slot:${slot}` : '')),
  )
