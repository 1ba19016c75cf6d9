import { markWord } from '#site/words.ts'
import type { Pages, ReadNavigation } from '#readers/layout.ts'
import { createNavBuilder, joinTabs, type NavBuilder } from '#readers/nav-builder.ts'
import { toHumanName } from '#site/folder-tree.ts'
import { listPages, type NavNode, type SourcePage } from '#site/source-page.ts'
import type { BarItem } from './options.ts'
import type { DocsPart } from './read-docs.ts'
import { readItems, type SidebarContext } from './sidebars.ts'
import { asText, trimSlashes, type Data } from '#site/data.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import { type FindPage, toSafeSegment } from '#site/page-paths.ts'

export type Post = { file: string; name: string; date: string }

type NavigationSource = {
  parts: readonly DocsPart[]
  posts: readonly Post[]
  bar: readonly BarItem[]
  pages: Pages
  find: FindPage
}

export const readDocusaurusNavigation = ({ parts, posts, bar, pages, find }: NavigationSource): ReadNavigation => {
  const builder = createNavBuilder(find)
  const added = new Map<string, SourcePage>()
  const context = { builder, bar, pages, added }
  const home = pages.has('index') && !parts.some(({ docs }) => docs.some(({ name }) => /^index\.mdx?$/.test(name)))
  if (home) builder.read.nav.push(...builder.page('index', 'index', null))
  const locales = [...new Set(parts.map(({ locale }) => locale))]
  const byLocale = locales.map((locale) => {
    const plugins = [...new Set(parts.map(({ plugin }) => plugin))]
    const tabs = plugins.map((plugin) => ({
      title: findTitle(plugin, bar, parts),
      children: readPlugin(
        parts.filter((part) => part.plugin === plugin && part.locale === locale),
        context,
      ),
    }))
    const blog = { title: 'Blog', children: locale.prefix === '' ? listPosts(posts, builder) : [] }
    return { title: locale.label, children: joinTabs([...tabs, blog]) }
  })
  builder.read.nav.push(...joinTabs(byLocale))
  return { ...builder.read, pages: [...added.values()] }
}

type Context = Pick<NavigationSource, 'bar' | 'pages'> & { builder: NavBuilder; added: Map<string, SourcePage> }

/** The top-bar label is the title of a plugin with one sidebar. If there are several, it is the title of a sidebar. */
const findTitle = (plugin: string, bar: readonly BarItem[], parts: readonly DocsPart[]) => {
  const own = parts.filter((part) => part.plugin === plugin)
  const isSingle = own.every(({ sidebars }) => Object.keys(sidebars).length === 1)
  const entry = bar.find((item) => item.plugin === plugin && (plugin !== 'default' || item.type.startsWith('doc')))
  return (
    (isSingle || plugin !== 'default' ? entry?.label : null) ?? (plugin === 'default' ? 'Docs' : toHumanName(plugin))
  )
}

const readPlugin = (parts: readonly DocsPart[], context: Context): NavNode[] =>
  joinTabs(parts.map((part) => ({ title: part.version.label, children: readPart(part, context) })))

const readPart = (part: DocsPart, { builder, bar, pages, added }: Context): NavNode[] => {
  const context: SidebarContext = {
    builder,
    docs: part.docs,
    byId: new Map(part.docs.map((doc) => [doc.id, doc])),
    categories: part.categories,
    isDefault: part.locale.prefix === '',
    addIndex: (link, label, slug, children) => {
      const file = part.version.sidebars ?? part.docs[0]?.file ?? ''
      const page = buildCategoryPage(link, label, `${part.route}/${slug}`, {
        children,
        find: (path) => pages.get(path) ?? added.get(path),
        file,
      })
      if (pages.has(page.path) || added.has(page.path)) return []
      added.set(page.path, page)
      return [{ kind: 'page', path: page.path }]
    },
  }
  const sidebars = Object.entries(part.sidebars).map(([id, items]) => {
    const children = readItems(items, context, 0)
    const named = bar.find(({ type, target }) => type === 'docSidebar' && target === id)
    return { title: named?.label ?? findBarLabel(children, bar) ?? toHumanName(id), children }
  })
  return joinTabs(sidebars)
}

const findBarLabel = (children: readonly NavNode[], bar: readonly BarItem[]) => {
  const paths = new Set(children.flatMap(listPages))
  return bar.find(({ target }) => paths.has(trimSlashes(target)))?.label
}

const listPosts = (posts: readonly Post[], builder: NavBuilder) =>
  posts.flatMap(({ name }) => builder.page(name.replace(/\.mdx?$/i, ''), name, null))

type ReadPage = (path: string) => SourcePage | undefined

/** Page that Docusaurus generates for a category: its description, and a card for each entry. `file` defines the category. */
const buildCategoryPage = (
  link: Data,
  label: string,
  address: string,
  { children, find, file }: { children: readonly NavNode[]; find: ReadPage; file: string },
): SourcePage => {
  const { body: _, ...frontMatter } = readFrontMatter('')
  const description = asText(link['description'])
  const cards = children.flatMap((child) => toCard(child, find))
  return {
    ...frontMatter,
    path: address.split('/').filter(Boolean).map(toSafeSegment).join('/'),
    file,
    title: asText(link['title']) ?? label,
    sidebarTitle: markWord('overview'),
    description,
    isTitleFixed: true,
    body: `${description === null ? '' : `<p>{${JSON.stringify(description)}}</p>\n\n`}<CardGroup cols={2}>\n${cards.join('\n')}\n</CardGroup>\n`,
  }
}

const toCard = (node: NavNode, find: ReadPage): string[] => {
  const [path] = listPages(node)
  const page = path === undefined ? undefined : find(path)
  if (!page) return []
  const isPage = node.kind === 'page'
  const properties = {
    title: isPage ? (page.sidebarTitle ?? page.title) : node.title,
    href: `/${page.path}`,
    description: isPage ? page.description : markWord('items', listPages(node).length),
  }
  const attributes = Object.entries(properties).map(([name, value]) =>
    value ? `${name}={${JSON.stringify(value)}}` : '',
  )
  return [`<Card ${attributes.join(' ')} />`]
}
