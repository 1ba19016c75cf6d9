import type { SourceFolder } from '@docket/sources/source-folder'
import { ignores, matchesGlob } from '#readers/globs.ts'
import { plainLayout, type Pages, type SiteLayout } from '#readers/layout.ts'
import { folderTree } from '#site/folder-tree.ts'
import { findPath } from '#site/page-paths.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { readVitepressTheme } from './theme.ts'
import { readVitepressConfig } from './config.ts'
import { createRewrite } from './rewrites.ts'
import { readSidebars } from './sidebar.ts'

/** Opens a VitePress site below `base`. */
export const openVitepress = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const config = await readVitepressConfig(folder, base)
  if (!config) return null
  const root = base + config.srcDir
  const rewrite = createRewrite(config.rewrites)
  const excluded = (file: string) => config.srcExclude.some((glob) => matchesGlob(file.slice(root.length), glob))
  return {
    ...plainLayout,
    kind: 'vitepress',
    dialect: 'vitepress',
    root,
    reasonAgainst: (file) => (excluded(file) ? 'srcExclude of the configuration names it' : null),
    toPageName:
      config.rewrites.length > 0 ? (file) => (isPage(file, root) ? rewrite(file.slice(root.length)) : null) : null,
    title: config.title,
    description: config.description,
    logo: config.logo,
    favicon: config.favicon,
    ...(await readVitepressTheme(folder, base, config.brand)),
    published: [`${root}public/`],
    readNavigation: (pages) => {
      const bar = [...config.brand.bar, ...config.brand.locals.flatMap((local) => local.bar)]
      const read = readSidebars({ ...config, bar }, (path) => pages.has(path))
      return {
        ...read,
        nav:
          read.nav.length > 0
            ? withOthers(
                read.nav,
                config.nav.map(({ link }) => link),
                pages,
              )
            : [],
      }
    },
  }
}

const isPage = (file: string, root: string) => file.startsWith(root) && !ignores(['_*', 'snippets/'], file)

/** Adds pages that neither a sidebar nor the top bar names. */
const withOthers = (nav: NavNode[], links: readonly string[], pages: Pages): NavNode[] => {
  const placed = new Set(nav.flatMap(listPages))
  for (const link of links) placed.add(findPath(link.replace(/[?#].*$/s, ''), (path) => pages.has(path)) ?? '')
  const others = [...pages.values()].filter(({ path, mode }) => mode !== 'home' && !placed.has(path))
  const isTabbed = nav.some((node) => node.kind === 'group' && node.isTab)
  const more: NavNode = { kind: 'group', title: 'More', isTab: isTabbed, children: folderTree(others) }
  return others.length > 0 ? [...nav, more] : nav
}
