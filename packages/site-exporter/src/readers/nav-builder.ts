import type { Facet } from '#site/brand.ts'
import type { FindPage } from '#site/page-paths.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import type { ReadNavigation } from './layout.ts'

/** Builds a navigation from the entries of a tool. Places each page once, because a second place would make "previous" and "next" loop. */
export const createNavBuilder = (find: FindPage) => {
  const read: ReadNavigation = { nav: [], titles: new Map(), missing: [], leftOut: [] }
  const placed = new Set<string>()
  return {
    read,
    find,
    isPlaced: (path: string) => placed.has(path),
    /** Adds a page with an optional title of its own. `wanted` names it in the report if it does not exist. */
    page: (path: string | undefined, wanted: string, title: string | null): NavNode[] => {
      const found = path === undefined ? undefined : find(path)
      if (found === undefined) read.missing.push(wanted)
      if (found === undefined || placed.has(found)) return []
      placed.add(found)
      if (title !== null) read.titles.set(found, title)
      return [{ kind: 'page', path: found }]
    },
    outside: (title: string, href: string): NavNode[] => [{ kind: 'group', title, isTab: false, children: [], href }],
    group: (title: string, children: NavNode[]): NavNode[] =>
      children.length > 0 ? [{ kind: 'group', title, isTab: false, children }] : [],
  }
}

/** Parts of a site between which readers can switch: sections, languages or versions. A single part needs no tab. */
export const joinTabs = (parts: readonly { title: string; children: NavNode[] }[], facet?: Facet): NavNode[] => {
  const used = parts.filter(({ children }) => children.some((node) => listPages(node).length > 0))
  return used.length > 1
    ? used.map((part) => ({ kind: 'group', ...part, isTab: true, ...(facet && { facet }) }))
    : (used[0]?.children ?? [])
}

export type NavBuilder = ReturnType<typeof createNavBuilder>

export const isOutside = (href: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)
