import { markWord } from '#site/words.ts'
import type { SourceFolder } from '@docket/sources/source-folder'
import { matchesIgnoreRules, matchesGlob } from '#readers/globs.ts'
import { plainLayout, type Pages, type SiteLayout } from '#readers/layout.ts'
import { buildFolderTree } from '#site/folder-tree.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { readVitepressConfig } from './config.ts'
import { createRewrite } from './rewrites.ts'
import { readSidebars } from './sidebar.ts'
import { posix } from 'node:path'
import { readText } from '#readers/read-text.ts'
import { readStyleColor } from '#readers/style-colors.ts'
import type { Brand, Pair } from '#site/brand.ts'

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
    languages: config.languages,
    logo: config.logo,
    favicon: config.favicon,
    ...(await readVitepressTheme(folder, base, config.brand)),
    published: [`${root}public/`],
    readNavigation: (pages, find) => {
      const bar = [...config.brand.bar, ...config.brand.locals.flatMap((local) => local.bar)]
      const read = readSidebars({ ...config, bar }, find)
      const linked = config.nav.map(({ link }) => find(link.replace(/[?#].*$/s, '')))
      return { ...read, nav: read.nav.length > 0 ? addOtherPages(read.nav, linked, pages) : [] }
    },
  }
}

const isPage = (file: string, root: string) => file.startsWith(root) && !matchesIgnoreRules(['_*', 'snippets/'], file)

const addOtherPages = (nav: NavNode[], linked: readonly (string | undefined)[], pages: Pages): NavNode[] => {
  const placed = new Set([...nav.flatMap(listPages), ...linked])
  const others = [...pages.values()].filter(({ path, mode }) => mode !== 'home' && !placed.has(path))
  const isTabbed = nav.some((node) => node.kind === 'group' && node.isTab)
  const more: NavNode = { kind: 'group', title: markWord('other'), isTab: isTabbed, children: buildFolderTree(others) }
  return others.length > 0 ? [...nav, more] : nav
}

/** Colours of the VitePress theme, to which the owner's colours may refer. */
const theme = `:root { --vp-c-brand-1: var(--vp-c-indigo-1); --vp-c-indigo-1: #3451b2; --vp-c-purple-1: #6f42c1;
  --vp-c-green-1: #18794e; --vp-c-yellow-1: #915930; --vp-c-red-1: #b8272c; }
.dark { --vp-c-indigo-1: #a8b1ff; --vp-c-purple-1: #c8abfa; --vp-c-green-1: #3dd68c; --vp-c-yellow-1: #f9b44e;
  --vp-c-red-1: #f66f81; }`
const maxStyles = 20

/** Reads the brand colours of the style sheets that the theme in `.vitepress/theme/` imports, and adds a remark about the rest. */
const readVitepressTheme = async (
  folder: SourceFolder,
  base: string,
  brand: Brand,
): Promise<{ colors: Pair; brand: Brand }> => {
  const place = `${base}.vitepress/theme/`
  const styles: string[] = []
  const leftOut = [...brand.leftOut]
  for (const name of ['index.ts', 'index.mts', 'index.js', 'index.mjs']) {
    const text = await readText(folder, place + name)
    styles.push(...listStyles(text, place + name))
    if (text !== '') leftOut.push(`the theme in \`${place}${name}\`: only its brand colours are read`)
  }
  // Style sheets can import others.
  for (const file of styles.slice(0, maxStyles)) styles.push(...listStyles(await readText(folder, file), file))
  const colors = await readStyleColor(folder, [...new Set(styles)], '--vp-c-brand-1', { usual: 'light', theme })
  return { colors, brand: { ...brand, leftOut } }
}

const listStyles = (text: string, from: string): string[] =>
  [...text.matchAll(/^[ \t]*@?import[ \t]+(?:url\()?['"](\.{1,2}\/[^'"\n]{1,200}\.css)['"]/gm)]
    .slice(0, maxStyles)
    .map(([, path = '']) => posix.join(posix.dirname(from), path))
