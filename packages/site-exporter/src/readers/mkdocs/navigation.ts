import { markWord } from '#site/words.ts'
import { posix } from 'node:path'
import type { Pages, ReadNavigation } from '#readers/layout.ts'
import { createNavBuilder, isOutside, type NavBuilder } from '#readers/nav-builder.ts'
import { asData, asList, asText, isData, type Data } from '#site/data.ts'
import { buildFolderTree, readFirstPart, toHumanName } from '#site/folder-tree.ts'
import type { FindPage } from '#site/page-paths.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import type { SourceFolder } from '@docket/sources/source-folder'
import { readData } from '#readers/read-text.ts'
import { parseYaml } from '#site/parse-data.ts'

const maxDepth = 12

export const readMkdocsNavigation = (
  nav: unknown,
  { pages, find }: { pages: Pages; find: FindPage },
  arranged: ReadonlyMap<string, Data> | null,
  hasTabs: boolean,
): ReadNavigation => {
  const builder = createNavBuilder(find)
  if (Array.isArray(nav)) builder.read.nav = readItems(nav, { builder, pages, folder: '' }, 0)
  else if (arranged && arranged.size > 0) builder.read.nav = readArranged('', { builder, pages, arranged }, 0)
  if (hasTabs) builder.read.nav = builder.read.nav.map((node) => toTab(node, builder, pages))
  return builder.read
}

/** A page on the first level is a tab of its own. */
const toTab = (node: NavNode, { read }: NavBuilder, pages: Pages): NavNode => {
  if (node.kind === 'group') return { ...node, isTab: true }
  const page = pages.get(node.path)
  const title = read.titles.get(node.path) ?? page?.sidebarTitle ?? page?.title ?? markWord('other')
  return { kind: 'group', title, isTab: true, children: [node] }
}

type Context = { builder: NavBuilder; pages: Pages; folder: string }

const readItems = (items: unknown, context: Context, depth: number): NavNode[] =>
  depth > maxDepth
    ? []
    : asList(items).flatMap((item) =>
        isData(item)
          ? Object.entries(item).flatMap(([title, value]) => readEntry(title, value, context, depth))
          : readEntry(null, item, context, depth),
      )

const readEntry = (title: string | null, value: unknown, context: Context, depth: number): NavNode[] => {
  const { builder, pages, folder } = context
  if (Array.isArray(value)) {
    const children = readItems(value, context, depth + 1)
    // A section without a title takes the title of its first page.
    const [first] = children.flatMap(listPages)
    const page = pages.get(first ?? '')
    return builder.group(title?.trim() || (page?.sidebarTitle ?? page?.title ?? markWord('other')), children)
  }
  const link = asText(value)
  if (link === null) return []
  const label = title?.trim() || null
  if (isOutside(link)) return builder.outside(label ?? link, link)
  const whole = posix.join(folder, link)
  const file = builder.find(whole) === undefined ? whole.replace(/[?#].*$/s, '') : whole
  // A folder with a trailing slash stands for all its pages.
  if (/\/$|\*/.test(file)) return readFolder(file.replace(/\/?\*{0,2}(\.md)?$/, ''), label, context)
  return builder.page(file, link, label)
}

const readFolder = (folder: string, label: string | null, { builder, pages }: Context): NavNode[] => {
  const inside = [...pages.values()].filter(({ path }) => path.startsWith(`${folder}/`) && !builder.isPlaced(path))
  for (const { path } of inside) builder.page(path, path, null)
  const children = folder.split('/').reduce<NavNode[]>((nodes) => nodes.flatMap(listChildren), buildFolderTree(inside))
  return label === null ? children : builder.group(label, children)
}

const listChildren = (node: NavNode): NavNode[] => (node.kind === 'group' ? node.children : [])

type Arranged = { builder: NavBuilder; pages: Pages; arranged: ReadonlyMap<string, Data> }

/** Entries of a folder: those that its `.pages` lists, and the rest at `...` by name. */
const readArranged = (folder: string, context: Arranged, depth: number): NavNode[] => {
  const { builder, pages, arranged } = context
  const own = asData(arranged.get(folder))
  const prefix = folder === '' ? '' : `${folder}/`
  const names = listNames([...pages.keys()], prefix)
  const entry = (name: string, title: string | null): NavNode[] => {
    const path = prefix + name.replace(/\.md$/i, '')
    if (pages.has(path)) return builder.page(path, path, title)
    if (depth >= maxDepth || !names.some(({ key, isFolder }) => isFolder && key === name)) return []
    const inner = asData(arranged.get(path))
    if (inner['hide'] === true) return []
    return builder.group(title ?? asText(inner['title']) ?? toHumanName(name), readArranged(path, context, depth + 1))
  }
  const listed = Array.isArray(own['nav']) ? asList(own['nav']) : asList(own['arrange'])
  const items = listed.length > 0 ? listed : ['...']
  const read = (item: unknown): NavNode[] => {
    const [title, value] = isData(item) ? (Object.entries(item)[0] ?? [null, null]) : [null, item]
    if (Array.isArray(value)) return builder.group(title ?? markWord('other'), (value as unknown[]).flatMap(read))
    const name = asText(value)
    if (name === null) return []
    if (isOutside(name)) return builder.outside(title ?? name, name)
    return entry(name.replace(/\/$/, ''), title)
  }
  // Listed entries keep their place, so the others are read last.
  const isRest = (item: unknown) => typeof item === 'string' && item.startsWith('...')
  const named = items.map((item) => (isRest(item) ? null : read(item)))
  return named.flatMap((nodes) => nodes ?? names.flatMap(({ key }) => entry(key, null)))
}

const listNames = (paths: readonly string[], prefix: string) => {
  const parts = paths.flatMap((path) => (path.startsWith(prefix) ? readFirstPart(path.slice(prefix.length)) : []))
  const names = [...new Set(parts)].map((part) => ({ key: part.replace(/\/$/, ''), isFolder: part.endsWith('/') }))
  return names.toSorted(
    (a, b) =>
      Number(b.key === 'index') - Number(a.key === 'index') ||
      Number(a.isFolder) - Number(b.isFolder) ||
      (a.key < b.key ? -1 : 1),
  )
}

const maxFolders = 2_000

/** Contents of `.pages` and `.nav.yml` files, by folder below the docs; `''` for the docs themselves. */
export const readPagesFiles = async (folder: SourceFolder, root: string): Promise<Map<string, Data>> => {
  const folders = new Set<string>([''])
  for (const file of folder.files) {
    if (!file.startsWith(root)) continue
    for (let name = posix.dirname(file.slice(root.length)); name !== '.'; name = posix.dirname(name)) folders.add(name)
  }
  const read = new Map<string, Data>()
  for (const name of [...folders].slice(0, maxFolders)) {
    for (const file of ['.pages', '.nav.yml']) {
      const parsed = await readData(folder, posix.join(root, name, file), parseYaml)
      if (isData(parsed)) read.set(name, parsed)
    }
  }
  return read
}
