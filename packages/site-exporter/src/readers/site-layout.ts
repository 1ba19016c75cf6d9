import { enterFolder, type SourceFolder } from '@docket/sources/source-folder'
import { isSample } from '#openapi/reading/find-documents.ts'
import { isGitbook, openBook } from '#readers/book/layout.ts'
import { openDocsJson } from '#readers/docs-json/docs-json.ts'
import { openDocusaurus } from '#readers/docusaurus/layout.ts'
import { openMkdocs } from '#readers/mkdocs/layout.ts'
import { openStarlight } from '#readers/starlight/layout.ts'
import { openVitepress } from '#readers/vitepress/layout.ts'
import { plainLayout, type SiteLayout } from './layout.ts'
import { readText } from './read-text.ts'

type OpenLayout = (folder: SourceFolder, base: string) => Promise<SiteLayout | null>

const tools: readonly OpenLayout[] = [openDocsJson, openVitepress, openStarlight, openDocusaurus, openMkdocs, openBook]

const bases = ['', 'docs/', 'website/', 'documentation/', 'site/', 'www/', 'docs/en/', 'guide/', 'apps/docs/']

/** Depth of folders in which a project is looked for by its index page. */
const maxDepth = 3
const maxBases = 200
/** Other projects that the report names. */
const maxNamed = 5
const configuration =
  /(?:^|\/)(?:(?:docs|mint)\.json|(?:docusaurus|astro)\.config\.\w+|mkdocs\.ya?ml|book\.toml|\.gitbook\.yaml)$/

/** Finds a project in the usual folders, then wherever a configuration is. `base`: folder of a docs.json that is not at the root, where its addresses begin. */
export const readLayout = async (folder: SourceFolder): Promise<{ layout: SiteLayout; base: string }> => {
  const found = listBases(folder)
  for (const [at, base] of [...bases, ...found].entries()) {
    const isUsual = at < bases.length
    const inside = isUsual ? null : await openInnerDocs(folder, base)
    const layout = inside ?? (await openTool(folder, base))
    if (!layout) continue
    const others: string[] = []
    for (const place of found) {
      if (place === base || place === layout.root || others.length === maxNamed) continue
      if (hasConfiguration(folder, place) || (await isOtherSpace(folder, place, layout))) others.push(place)
    }
    if (isUsual && others.length === 0) return { layout, base: '' }
    return { layout: addPlace(layout, base, others), base: inside ? base : '' }
  }
  return { layout: (await openInnerBook(folder)) ?? plainLayout, base: '' }
}

/** The summary of a folder that GitBook syncs, beside the chosen one, is another space. */
const isOtherSpace = async (folder: SourceFolder, place: string, { dialect, root }: SiteLayout): Promise<boolean> => {
  const isBeside = dialect === 'gitbook' && !place.startsWith(root) && folder.files.has(`${place}SUMMARY.md`)
  return isBeside && /^[ \t]*[*-] *\[/m.test(await readText(folder, `${place}SUMMARY.md`))
}

const addPlace = (layout: SiteLayout, base: string, others: readonly string[] = []): SiteLayout => {
  const more = others.length === 0 ? '' : `; other folders with a configuration: ${others.join(', ')}`
  const reason = `the site is made from the project in this folder${more}`
  return { ...layout, leftOut: [...layout.leftOut, { file: base || './', reason, kind: 'left-out' }] }
}

/** A SUMMARY.md below the root is a book if most Markdown is beside it. */
const openInnerBook = async (folder: SourceFolder): Promise<SiteLayout | null> => {
  const pages = [...folder.files].filter((file) => /\.mdx?$/i.test(file))
  const summaries = pages.filter((file) => file.endsWith('/SUMMARY.md') && !isSample(file))
  const bases = new Set(summaries.flatMap((file) => listOuter(file)))
  for (const base of [...bases].slice(0, maxBases)) {
    const isMost = pages.filter((file) => file.startsWith(base)).length * 2 > pages.length
    const layout = isMost ? await openBook(folder, base, true) : null
    if (layout) return addPlace(layout, base)
  }
  return null
}

/** Folders around a file, outer ones first. */
const listOuter = (file: string) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1))

const openTool = async (folder: SourceFolder, base: string) => {
  for (const open of tools) {
    const layout = await open(folder, base)
    if (layout) return layout
  }
  return null
}

/** Other tools also write files called docs.json. */
const openInnerDocs = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const file = ['docs.json', 'mint.json'].map((name) => base + name).find((name) => folder.files.has(name))
  const isSite = file !== undefined && (await readText(folder, file)).includes('"navigation"')
  return isSite ? openDocsJson(enterFolder(folder, base), '') : null
}

const hasConfiguration = (folder: SourceFolder, base: string) =>
  isGitbook(folder, base) || [...folder.files].some((file) => configuration.test(file) && readFolder(file) === base)

const readFolder = (file: string) => file.slice(0, file.lastIndexOf('/') + 1)

/** Folders in which a project may be: they have a configuration, a summary, or an index page next to a hidden one. */
const listBases = ({ files, hidden }: SourceFolder): string[] => {
  const depth = (base: string) => base.split('/').length
  const isIndex = (file: string) => /\/(?:index|SUMMARY)\.md$/.test(file) && depth(file) <= maxDepth + 1
  const likely = [...files, ...hidden].filter((file) => configuration.test(file) || isIndex(file))
  return [...new Set(likely.map(readFolder))]
    .filter((base) => base !== '' && !isSample(base))
    .toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, maxBases)
}
