import type { ReadNavigation } from '#readers/layout.ts'
import { asData, asList, asText } from '#site/data.ts'
import { humanName } from '#site/folder-tree.ts'
import { findPath } from '#site/page-paths.ts'
import type { NavNode } from '#site/source-page.ts'
import type { VitepressConfig } from './config.ts'

const maxDepth = 10

/** Reads VitePress sidebars; several become tabs. */
export const readSidebars = (
  { sidebars, nav }: Pick<VitepressConfig, 'sidebars' | 'nav'>,
  exists: (path: string) => boolean,
): ReadNavigation => {
  const read: ReadNavigation = { nav: [], titles: new Map(), missing: [], leftOut: [] }
  const placed = new Set<string>()

  const page = (link: string, base: string, title: string | null): NavNode[] => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link)) return []
    const address = (link.startsWith('/') ? link : base + link).replace(/[?#].*$/s, '')
    const path = findPath(address, exists)
    if (path === undefined) read.missing.push(address)
    if (path === undefined || placed.has(path)) return []
    placed.add(path)
    if (title) read.titles.set(path, title)
    return [{ kind: 'page', path }]
  }
  const items = (value: unknown, base: string, depth: number): NavNode[] =>
    depth > maxDepth ? [] : asList(value).flatMap((item) => entry(item, base, depth))
  const entry = (item: unknown, outer: string, depth: number): NavNode[] => {
    const fields = asData(item)
    const base = asText(fields['base']) ?? outer
    const [text, link] = [plain(asText(fields['text'])), asText(fields['link'])]
    const own = link ? page(link, base, text) : []
    const inner = items(fields['items'], base, depth + 1)
    if (inner.length === 0) return own
    return text ? [{ kind: 'group', title: text, isTab: false, children: [...own, ...inner] }] : [...own, ...inner]
  }
  const part = (sidebar: unknown): NavNode[] => {
    if (Array.isArray(sidebar)) return items(sidebar, '/', 0)
    const parts = Object.entries(asData(sidebar)).map(([prefix, content]): NavNode => {
      const base = asText(asData(content)['base']) ?? '/'
      const children = items(Array.isArray(content) ? content : asData(content)['items'], base, 0)
      const link = nav.find(({ link }) => link.startsWith(prefix))
      if (link) return { kind: 'group', title: link.text, isTab: true, facet: 'section', children }
      return { kind: 'group', title: readName(prefix), isTab: true, children }
    })
    return parts.filter((node) => node.kind === 'group' && node.children.length > 0)
  }
  for (const { label, home, sidebar } of sidebars) {
    const children = part(sidebar)
    if (children.length === 0) continue
    if (exists(home) && !placed.has(home)) children.unshift(...page(`/${home}`, '/', null))
    read.nav.push(
      ...(label && sidebars.length > 1
        ? [{ kind: 'group' as const, title: label, isTab: true, facet: 'language' as const, children }]
        : children),
    )
  }
  return read
}

const readName = (prefix: string) => humanName(prefix.split('/').findLast(Boolean) ?? 'Home')

/** Strips markup. */
const plain = (text: string | null) => text && (text.replace(/<[^>]*>/g, '').trim() || null)
