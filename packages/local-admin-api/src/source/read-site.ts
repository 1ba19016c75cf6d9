import { readDocsJson, type DocsJson } from '#source/docs-json.ts'
import { folderTree, humanName } from '#source/folder-tree.ts'
import { readFrontMatter } from '#source/front-matter.ts'
import { readJsonWithReferences } from '#source/json-references.ts'
import { limits } from '#source/limits.ts'
import { findPath, pageFilesOf, type PageFile } from '#source/page-paths.ts'
import type { NavNode, SourcePage, SourceSite } from '#source/site.ts'
import type { SourceFolder } from '#source/source-folder.ts'

/** Reads what a site consists of: its pages with their titles, in the order of docs.json when there is one, else of the folder. */
export const readSite = async (folder: SourceFolder, fallbackName: string): Promise<SourceSite> => {
  const { pages: files, leftOut } = pageFilesOf(folder.files)
  const pages = new Map<string, SourcePage>()
  for (const file of files) {
    const page = await readPage(folder, file)
    if (page) pages.set(file.path, page)
    else leftOut.push({ file: file.file, reason: `it cannot be read, or has more than ${limits.pageBytes / 1024} kB` })
  }
  const docs = await readConfiguration(folder, (path) => pages.has(path), leftOut)
  const nav = docs && docs.nav.length > 0 ? docs.nav : folderTree([...pages.values()])
  for (const path of docs?.missing ?? []) {
    leftOut.push({ file: path, reason: 'the navigation names it, and there is no such page' })
  }
  return {
    name: docs?.name ?? pages.get('index')?.title ?? fallbackName,
    description: docs?.description ?? pages.get('index')?.description ?? null,
    colors: docs?.colors ?? { light: null, dark: null },
    logo: docs?.logo ?? { light: null, dark: null },
    favicon:
      docs?.favicon ?? ['favicon.svg', 'favicon.ico', 'favicon.png'].find((name) => folder.files.has(name)) ?? null,
    pages,
    nav,
    redirects: docs?.redirects ?? new Map(),
    leftOut,
  }
}

/** The part of a site that `paths` names, with a navigation of just these pages. */
export const onlyPaths = (site: SourceSite, paths: readonly string[]): SourceSite => {
  const chosen = new Set(paths.map((path) => findPath(path, (candidate) => site.pages.has(candidate))))
  return {
    ...site,
    pages: new Map([...site.pages].filter(([path]) => chosen.has(path))),
    nav: prune(site.nav, (path) => chosen.has(path)),
  }
}

const prune = (nodes: readonly NavNode[], keeps: (path: string) => boolean): NavNode[] =>
  nodes.flatMap((node): NavNode[] => {
    if (node.kind === 'page') return keeps(node.path) ? [node] : []
    const children = prune(node.children, keeps)
    return children.length > 0 ? [{ ...node, children }] : []
  })

const readPage = async (folder: SourceFolder, { path, file }: PageFile): Promise<SourcePage | null> => {
  const content = await folder.read(file, limits.pageBytes)
  if (!content) return null
  const { body, ...said } = readFrontMatter(content.toString('utf8'))
  const heading = /^#[ \t]+(.+?)[ \t#]*$/m.exec(body.replace(/^(```|~~~)[\s\S]*?^\1/gm, ''))?.[1]
  const name = humanName(
    file
      .replace(/\.mdx?$/i, '')
      .split('/')
      .findLast((part) => !/^(index|readme)$/i.test(part)) ?? 'Home',
  )
  return { ...said, path, file, title: said.title ?? (heading && plain(heading)) ?? said.sidebarTitle ?? name }
}

/** Headings are Markdown too; a title is text. */
const plain = (markdown: string) =>
  markdown
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*\\]/g, '')
    .trim()

const readConfiguration = async (
  folder: SourceFolder,
  exists: (path: string) => boolean,
  leftOut: SourceSite['leftOut'],
): Promise<DocsJson | null> => {
  for (const file of ['docs.json', 'mint.json'].filter((name) => folder.files.has(name))) {
    const parsed = await readJsonWithReferences(folder, file)
    if (parsed !== null) return readDocsJson(parsed, exists)
    leftOut.push({ file, reason: 'it is not valid JSON, so the folders are the navigation' })
  }
  return null
}
