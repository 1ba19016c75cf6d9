import { findPath } from '#source/page-paths.ts'
import type { NavNode } from '#source/site.ts'

type Data = Record<string, unknown>
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** What docs.json (or the older mint.json) says about a site. Anything it says in another way is passed over. */
export type DocsJson = {
  name: string | null
  description: string | null
  colors: { light: string | null; dark: string | null }
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  nav: NavNode[]
  /** Pages that the navigation names and the folder does not have. */
  missing: string[]
}

const maxDepth = 12
const titles = [
  'group',
  'tab',
  'anchor',
  'dropdown',
  'version',
  'product',
  'item',
  'language',
  'title',
  'name',
] as const
const lists = [
  'pages',
  'groups',
  'tabs',
  'anchors',
  'dropdowns',
  'versions',
  'products',
  'menu',
  'languages',
  'items',
] as const
const tabKinds = ['tab', 'anchor', 'dropdown', 'version', 'product', 'language'] as const

/** Reads the parsed docs.json. `exists` tells whether a path is a page. */
export const readDocsJson = (parsed: unknown, exists: (path: string) => boolean): DocsJson => {
  const data = isData(parsed) ? parsed : {}
  const missing: string[] = []
  const seen = new Set<string>()

  const nodesOf = (value: unknown, depth: number): NavNode[] => {
    if (depth > maxDepth) return []
    if (Array.isArray(value)) return value.flatMap((item: unknown) => nodeOf(item, depth))
    if (!isData(value)) return []
    const first = textOf(value['root'])
    return [...(first ? nodeOf(first, depth) : []), ...lists.flatMap((key) => nodesOf(value[key], depth + 1))]
  }
  const nodeOf = (item: unknown, depth: number): NavNode[] => {
    if (typeof item === 'string') {
      const path = findPath(item, exists)
      if (path === undefined) missing.push(item)
      // A page listed twice has one place, or "previous" and "next" would run in a circle.
      if (path === undefined || seen.has(path)) return []
      seen.add(path)
      return [{ kind: 'page', path }]
    }
    if (!isData(item)) return []
    const children = nodesOf(item, depth + 1)
    if (children.length === 0) return []
    const kind = titles.find((key) => textOf(item[key]) !== null)
    if (kind === undefined) return children
    const title = kind === 'language' ? languageName(textOf(item[kind])!) : textOf(item[kind])!
    return [{ kind: 'group', title, isTab: tabKinds.some((tab) => tab === kind), children }]
  }

  const colors = isData(data['colors']) ? data['colors'] : {}
  const primary = colorOf(colors['primary'])
  return {
    name: textOf(data['name']),
    description: textOf(data['description']),
    colors: { light: primary, dark: colorOf(colors['light']) ?? primary },
    logo: pairOf(data['logo']),
    favicon: pairOf(data['favicon']).light,
    nav: nodesOf(data['navigation'], 0),
    missing,
  }
}

const colorOf = (value: unknown) =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : null

const pairOf = (value: unknown) =>
  isData(value)
    ? { light: textOf(value['light']) ?? textOf(value['dark']), dark: textOf(value['dark']) ?? textOf(value['light']) }
    : { light: textOf(value), dark: textOf(value) }

const languageName = (tag: string) => {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
