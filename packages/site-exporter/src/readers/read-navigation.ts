import type { SourceFolder } from '@docket/sources/source-folder'
import { readSidebars, type ReadNavigation } from '#readers/vitepress/sidebar.ts'
import { folderTree } from '#site/folder-tree.ts'
import { limits } from '#site/limits.ts'
import { listPages, type NavNode, type SourcePage } from '#site/source-page.ts'
import { readSummary } from './book-summary.ts'
import type { SiteLayout } from './site-layout.ts'

/** Navigation from the tool's configuration, else from folders. */
export const readNavigation = async (
  folder: SourceFolder,
  { kind, root, vitepress }: SiteLayout,
  pages: ReadonlyMap<string, SourcePage>,
): Promise<ReadNavigation> => {
  const exists = (path: string) => pages.has(path)
  if (kind === 'book') {
    const summary = await folder.read(`${root}SUMMARY.md`, limits.pageBytes)
    const read = readSummary(summary?.toString('utf8') ?? '', '', exists)
    if (read.nav.length > 0) return read
  }
  if (vitepress) {
    const read = readSidebars(vitepress, exists)
    if (read.nav.length > 0) return { ...read, nav: withOthers(read.nav, pages) }
  }
  return { nav: folderTree([...pages.values()]), titles: new Map(), missing: [] }
}

/** Adds pages that only the top bar links, which an export lacks. */
const withOthers = (nav: NavNode[], pages: ReadonlyMap<string, SourcePage>): NavNode[] => {
  const placed = new Set(nav.flatMap(listPages))
  const home = placed.has('index') || !pages.has('index') ? [] : [{ kind: 'page' as const, path: 'index' }]
  const others = [...pages.values()].filter(({ path }) => path !== 'index' && !placed.has(path))
  const isTabbed = nav.some((node) => node.kind === 'group' && node.isTab)
  const more: NavNode = { kind: 'group', title: 'More', isTab: isTabbed, children: folderTree(others) }
  return [...home, ...nav, ...(others.length > 0 ? [more] : [])]
}
