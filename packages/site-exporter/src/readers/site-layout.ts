import type { SourceFolder } from '@docket/sources/source-folder'
import { parse } from 'yaml'
import { readVitepressConfig, type VitepressConfig } from '#readers/vitepress/config.ts'
import { limits } from '#site/limits.ts'
import { ignores, matchesGlob } from './globs.ts'

/** Layout of a source, by its documentation tool. */
export type SiteLayout = {
  kind: 'docs-json' | 'vitepress' | 'book' | 'folder'
  /** Folder of the pages with a trailing slash, or `''`. */
  root: string
  /** Reason why a file is no page, or null. */
  reasonAgainst(file: string): string | null
  vitepress: VitepressConfig | null
  title: string | null
}

/** Repository files that docs.json tools never publish. */
const ignoredWithDocsJson =
  'README.md README.mdx readme.md readme.mdx LICENSE.md CHANGELOG.md CONTRIBUTING.md coverage/ tmp/ temp/'.split(' ')

/** Detects the documentation tool of a folder. */
export const readLayout = async (folder: SourceFolder): Promise<SiteLayout> => {
  const plain = { root: '', reasonAgainst: () => null, vitepress: null, title: null }
  if (folder.files.has('docs.json') || folder.files.has('mint.json')) {
    const own = await patternsIn(folder, '.mintignore')
    const reasonAgainst = (file: string) =>
      ignores(own, file)
        ? '.mintignore names it'
        : ignores(ignoredWithDocsJson, file)
          ? 'it is about the repository, not a page'
          : null
    return { ...plain, kind: 'docs-json', reasonAgainst }
  }
  for (const base of ['', 'docs/']) {
    const vitepress = await readVitepressConfig(folder, base)
    if (!vitepress) continue
    const root = base + vitepress.srcDir
    const excluded = (file: string) => vitepress.srcExclude.some((glob) => matchesGlob(file.slice(root.length), glob))
    const reasonAgainst = (file: string) => (excluded(file) ? 'srcExclude of the configuration names it' : null)
    return { ...plain, kind: 'vitepress', root, reasonAgainst, vitepress, title: vitepress.title }
  }
  const book = await readBook(folder)
  return book ? { ...plain, kind: 'book', ...book } : { ...plain, kind: 'folder' }
}

/** A book has a SUMMARY.md, at the root or where book.toml says. */
const readBook = async (folder: SourceFolder) => {
  const toml = folder.files.has('book.toml') ? await readText(folder, 'book.toml') : ''
  const gitbook = await readText(folder, '.gitbook.yaml')
  const source = /^src\s*=\s*"([^"]*)"/m.exec(toml)?.[1] ?? (toml ? 'src' : parseRoot(gitbook))
  const root = source.replace(/^\.?\/+|\/+$/g, '').replace(/(.)$/, '$1/')
  if (!folder.files.has(`${root}SUMMARY.md`)) return null
  const reasonAgainst = (file: string) => (file === `${root}SUMMARY.md` ? 'it is the navigation' : null)
  return { root, reasonAgainst, title: /^title\s*=\s*"([^"]+)"/m.exec(toml)?.[1] ?? null }
}

const parseRoot = (yaml: string) => {
  try {
    const config: unknown = parse(yaml, { schema: 'core', maxAliasCount: 20, logLevel: 'silent' })
    const root = typeof config === 'object' && config !== null && 'root' in config ? config.root : ''
    return typeof root === 'string' ? root : ''
  } catch {
    return ''
  }
}

const patternsIn = async (folder: SourceFolder, file: string) =>
  (await readText(folder, file))
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, 500)

const readText = async (folder: SourceFolder, file: string) =>
  (await folder.read(file, limits.pageBytes))?.toString('utf8') ?? ''
