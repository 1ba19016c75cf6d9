import type { Pages, ReadNavigation } from '#readers/layout.ts'
import { createNavBuilder, hasPages, type NavBuilder } from '#readers/nav-builder.ts'
import { humanName } from '#site/folder-tree.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import type { BarItem } from './options.ts'
import type { DocsPart, Locale } from './read-docs.ts'
import { readItems, type SidebarContext } from './sidebars.ts'

/** Post of a blog. */
export type Post = { file: string; name: string; date: string }

/** Everything that the navigation is made of. `addRedirect` gives lists of categories an address. */
type NavigationSource = {
  parts: readonly DocsPart[]
  posts: readonly Post[]
  bar: readonly BarItem[]
  pages: Pages
  addRedirect: (from: string, to: string) => void
}

/** Builds the navigation: languages, then plugins, versions and sidebars. */
export const readDocusaurusNavigation = ({
  parts,
  posts,
  bar,
  pages,
  addRedirect,
}: NavigationSource): ReadNavigation => {
  const builder = createNavBuilder(pages)
  const context = { builder, bar, addRedirect }
  const home = pages.has('index') && !parts.some(({ docs }) => docs.some(({ name }) => /^index\.mdx?$/.test(name)))
  if (home) builder.read.nav.push(...builder.page('index', 'index', null))
  const locales = [...new Set(parts.map(({ locale }) => locale))]
  const byLocale = locales.map((locale) => {
    const plugins = [...new Set(parts.map(({ plugin }) => plugin))]
    const tabs = plugins.map((plugin) => ({
      title: findTitle(plugin, bar),
      children: readPlugin(
        parts.filter((part) => part.plugin === plugin && part.locale === locale),
        context,
      ),
    }))
    const blog = { title: 'Blog', children: locale.prefix === '' ? listPosts(posts, builder) : [] }
    return { title: locale.label, children: join([...tabs, blog], builder) }
  })
  builder.read.nav.push(...join(byLocale, builder))
  return builder.read
}

type Context = Pick<NavigationSource, 'bar' | 'addRedirect'> & { builder: NavBuilder }
type Tab = { title: string; children: NavNode[] }

/** Several parts become tabs; a single one needs none. */
const join = (tabs: readonly Tab[], builder: NavBuilder): NavNode[] => {
  const used = tabs.filter(({ children }) => hasPages(children))
  return used.length > 1
    ? used.flatMap(({ title, children }) => builder.tab(title, children))
    : (used[0]?.children ?? [])
}

const findTitle = (plugin: string, bar: readonly BarItem[]) =>
  plugin === 'default' ? 'Docs' : (bar.find((item) => item.plugin === plugin)?.label ?? humanName(plugin))

const readPlugin = (parts: readonly DocsPart[], context: Context): NavNode[] =>
  join(
    parts.map((part) => ({ title: part.version.label, children: readPart(part, context) })),
    context.builder,
  )

const readPart = (part: DocsPart, { builder, bar, addRedirect }: Context): NavNode[] => {
  const context: SidebarContext = {
    builder,
    docs: part.docs,
    byId: new Map(part.docs.map((doc) => [doc.id, doc])),
    categories: part.categories,
    isDefault: isDefault(part.locale),
    addIndex: (slug, first) => {
      const [path] = listPages(first)
      if (path !== undefined) addRedirect(`${part.route}${slug}`.replace(/^\/+/, ''), `/${path}`)
    },
  }
  const sidebars = Object.entries(part.sidebars).map(([id, items]) => {
    const children = readItems(items, context, 0)
    const named = bar.find(({ type, target }) => type === 'docSidebar' && target === id)
    return { title: named?.label ?? findBarLabel(children, bar) ?? humanName(id), children }
  })
  return join(sidebars, builder)
}

const isDefault = ({ prefix }: Locale) => prefix === ''

/** Label of an entry of the top bar that leads into a sidebar. */
const findBarLabel = (children: readonly NavNode[], bar: readonly BarItem[]) => {
  const paths = new Set(children.flatMap(listPages))
  return bar.find(({ target }) => paths.has(target.replace(/^\/+|\/+$/g, '')))?.label
}

const listPosts = (posts: readonly Post[], builder: NavBuilder) =>
  posts.flatMap(({ name }) => builder.page(name.replace(/\.mdx?$/i, ''), name, null))
