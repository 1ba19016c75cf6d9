import type { Pages, ReadNavigation } from '#readers/layout.ts'
import { createNavBuilder, isOutside, joinTabs, type NavBuilder } from '#readers/nav-builder.ts'
import { readBadge } from '#site/brand.ts'
import { asData, asList, asText, trimSlashes, type Data } from '#site/data.ts'
import { readFirstPart } from '#site/folder-tree.ts'
import type { FindPage } from '#site/page-paths.ts'
import type { NavNode } from '#site/source-page.ts'
import { readTranslation, type Locale } from './locales.ts'

const maxDepth = 10

/** Reads one sidebar for all languages. `matter` has the front matter by page path. */
type Sidebar = {
  sidebar: unknown
  locales: readonly Locale[]
  pages: Pages
  find: FindPage
  matter: ReadonlyMap<string, Data>
}

export const readStarlightSidebar = ({ sidebar, locales, pages, find, matter }: Sidebar): ReadNavigation => {
  const builder = createNavBuilder(find)
  const paths = [...pages.keys()]
  const parts = locales.map((locale, index) => {
    const others = locales.map(({ prefix }) => prefix).filter((prefix) => prefix.length > locale.prefix.length)
    const context = { builder, locale, others, paths, matter, isDefault: index === 0 }
    const home = pages.has(`${locale.prefix}index`) ? builder.page(`${locale.prefix}index`, '', null) : []
    const items = Array.isArray(sidebar) ? readItems(sidebar, context, 0) : generateItems('', context)
    return { title: locale.label, children: [...home, ...items] }
  })
  return { ...builder.read, nav: joinTabs(parts, 'language') }
}

type Context = {
  builder: NavBuilder
  locale: Locale
  others: readonly string[]
  paths: readonly string[]
  matter: ReadonlyMap<string, Data>
  isDefault: boolean
}

const readItems = (items: unknown, context: Context, depth: number): NavNode[] =>
  depth > maxDepth ? [] : asList(items).flatMap((item) => readItem(item, context, depth))

const readItem = (item: unknown, context: Context, depth: number): NavNode[] => {
  if (typeof item === 'string') return placePage(item, null, context)
  const entry = asData(item)
  const label = translateLabel(entry, context.locale)
  const tag = readBadge(entry['badge'])
  const slug = typeof entry['slug'] === 'string' ? entry['slug'] : null
  if (slug !== null) return addMarks(placePage(slug, label, context), { tag })
  const link = asText(entry['link'])
  if (link !== null) {
    if (isOutside(link)) return context.builder.outside(label ?? link, link)
    return addMarks(placePage(link.replace(/[?#].*$/s, ''), label, context), { tag })
  }
  const generated = asText(asData(entry['autogenerate'])['directory'])
  const children =
    generated === null ? readItems(entry['items'], context, depth + 1) : generateItems(trimSlashes(generated), context)
  if (label === null) return children
  return addMarks(context.builder.group(label, children), { tag, isOpen: entry['collapsed'] !== true })
}

const addMarks = (nodes: NavNode[], { tag, ...open }: { tag: string | null; isOpen?: boolean }): NavNode[] =>
  nodes.map((node) => ({ ...node, ...open, ...(tag !== null && { tag }) }))

/** Finds a label by language, and uses the default label otherwise, as Starlight does. */
const translateLabel = (entry: Data, locale: Locale) => {
  const translations = asData(entry['translations'])
  return (
    asText(translations[locale.lang]) ??
    asText(translations[locale.prefix.slice(0, -1)]) ??
    readTranslation(entry['label'], locale)
  )
}

/** Places a page of this language. Reports a missing page only for the default language, because the others fall back to it. */
const placePage = (slug: string, label: string | null, { builder, locale, matter, isDefault }: Context) => {
  const path = builder.find(locale.prefix + trimSlashes(slug))
  if (path === undefined && !isDefault) return []
  return builder.page(path, slug, label ?? readOwnLabel(matter.get(path ?? '')))
}

const readOwnLabel = (matter: Data | undefined) => asText(asData(matter?.['sidebar'])['label'])

/** All pages in a folder, nested like their files, by `sidebar.order` and then by slug. */
const generateItems = (directory: string, context: Context): NavNode[] => {
  const { builder, locale, paths, matter } = context
  const readSidebar = (path: string) => asData(matter.get(path)?.['sidebar'])
  const isOther = (path: string) => context.others.some((other) => path.startsWith(other))
  const readOrder = (path: string) => {
    const { order } = readSidebar(path)
    return typeof order === 'number' ? order : Number.MAX_VALUE
  }
  const list = (inside: readonly string[], prefix: string): NavNode[] =>
    [...Map.groupBy(inside, (path) => prefix + readFirstPart(path.slice(prefix.length)))]
      .map(([key, pages]) => ({ key, pages, order: pages.map(readOrder).reduce((a, b) => Math.min(a, b)) }))
      .toSorted((a, b) => a.order - b.order || collator.compare(toSlug(a.key), toSlug(b.key)))
      .flatMap(({ key, pages }) =>
        key.endsWith('/')
          ? builder.group(key.slice(prefix.length, -1), list(pages, key))
          : builder.page(key, key, readOwnLabel(matter.get(key))),
      )
  const prefix = locale.prefix + (directory === '' ? '' : `${directory}/`)
  const listed = paths.filter(
    (path) => path.startsWith(prefix) && readSidebar(path)['hidden'] !== true && !/(^|\/)404$/.test(path),
  )
  return list(
    listed.filter((path) => !isOther(path) && !builder.isPlaced(path)),
    prefix,
  )
}

const collator = new Intl.Collator('en')
const toSlug = (path: string) => path.replace(/(^|\/)index$|\/$/, '')
