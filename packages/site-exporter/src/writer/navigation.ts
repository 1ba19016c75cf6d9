import { posix } from 'node:path'
import { methodClass, methodWord } from '#openapi/method-badge.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { toHtmlFile, relativeHref } from './addresses.ts'
import { markup, type Markup } from './markup.ts'
import { createNavIcons } from './nav-icons.ts'

/**
 * Maximum pages with a full navigation. Larger sites show open branches only, else the bundle would grow quadratically.
 */
const showsAllUpTo = 40
/** Entries per level; thousands on each page would be gigabytes. */
const maxEntries = 600

/** Position of a page on the site. */
export type Navigation = {
  /** Outermost first. */
  tabs: Markup[]
  sidebar: Markup
  previous: Markup | null
  next: Markup | null
  /** Titles of enclosing groups. */
  trail: string[]
}

/** Creates a function that returns the navigation of a page. */
export const createNavigation = (
  site: Pick<SourceSite, 'nav' | 'pages' | 'operations'> & Partial<Pick<SourceSite, 'icons'>>,
) => {
  const icons = createNavIcons(site)
  const order = site.nav.flatMap(listPages)
  const places = new Map(order.map((path, index) => [path, index]))
  const showsAll = order.length <= showsAllUpTo
  // Cached, because every page asks for every group.
  const inside = new Map<NavNode, ReadonlySet<string>>()
  const pagesIn = (node: NavNode) => {
    const paths = inside.get(node) ?? new Set(listPages(node))
    inside.set(node, paths)
    return paths
  }
  const holds = (node: NavNode, path: string) => pagesIn(node).has(path)
  const findFirst = (node: NavNode) => pagesIn(node).values().next().value
  const trailTo = (nodes: readonly NavNode[], path: string): string[] => {
    const node = nodes.find((candidate) => candidate.kind === 'group' && holds(candidate, path))
    return node?.kind === 'group' ? [...(node.isTab ? [] : [node.title]), ...trailTo(node.children, path)] : []
  }
  const findTitle = (path: string) => site.pages.get(path)?.sidebarTitle ?? site.pages.get(path)?.title ?? path

  // Cache for one folder, whose pages share most links.
  let shared = { folder: '', links: new Map<string, Markup>() }

  return (path: string): Navigation => {
    const here = toHtmlFile(path)
    const folder = posix.dirname(here)
    if (shared.folder !== folder) shared = { folder, links: new Map() }
    const link = (to: string, text: string, current: 'page' | 'true' | null) => {
      if (current !== null) return newLink(to, text, current)
      const key = `${to}\n${text}`
      const anchor = shared.links.get(key) ?? newLink(to, text, null)
      shared.links.set(key, anchor)
      return anchor
    }
    const newLink = (to: string, text: string, current: 'page' | 'true' | null) => {
      const state = current && markup` aria-current="${current}"`
      const method = site.operations.get(to)?.method
      const badge =
        method !== undefined &&
        text === findTitle(to) &&
        markup`<span class="method ${methodClass(method)}">${methodWord(method)}</span> `
      return markup`<a href="${relativeHref(here, toHtmlFile(to))}"${state}>${icons.ofLink(to, text)}${badge}${text}</a>`
    }

    const tabs: Markup[] = []
    let nodes: readonly NavNode[] = site.nav
    while (nodes.some((node) => node.kind === 'group' && node.isTab)) {
      const current = nodes.find((node) => holds(node, path)) ?? nodes[0]!
      const links = nodes.map((node) => {
        const first = findFirst(node)
        return first === undefined
          ? null
          : link(first, node.kind === 'group' ? node.title : findTitle(node.path), node === current ? 'true' : null)
      })
      if (nodes.length > 1) tabs.push(markup`${links}`)
      nodes = current.kind === 'group' ? current.children : [current]
    }

    const list = (level: readonly NavNode[]): Markup => {
      const { from, to } = selectEntries(level)
      const before = from > 0 && further(level[from - 1]!, `… ${from} before`)
      const after = to < level.length && further(level[to]!, `… ${level.length - to} more`)
      return markup`<ul>${before}${level.slice(from, to).map(item)}${after}</ul>`
    }
    /** Entries of a long level around the page. */
    const selectEntries = (level: readonly NavNode[]) => {
      if (level.length <= maxEntries) return { from: 0, to: level.length }
      const own = level.findIndex((node) => (node.kind === 'page' ? node.path === path : holds(node, path)))
      const from = Math.min(Math.max(0, own - maxEntries / 2), level.length - maxEntries)
      return { from, to: from + maxEntries }
    }
    const further = (node: NavNode, text: string) => {
      const first = findFirst(node)
      return first !== undefined && markup`<li class="closed">${link(first, text, null)}</li>`
    }
    const item = (node: NavNode): Markup => {
      if (node.kind === 'page')
        return markup`<li>${link(node.path, findTitle(node.path), node.path === path ? 'page' : null)}</li>`
      const open = showsAll || holds(node, path)
      const first = findFirst(node)
      if (open || first === undefined)
        return markup`<li class="open"><span>${icons.ofGroup(node)}${node.title}</span>${list(node.children)}</li>`
      return markup`<li class="closed">${link(first, node.title, null)}</li>`
    }

    const index = places.get(path)
    const neighbour = (step: 1 | -1) => {
      const to = index === undefined ? undefined : order[index + step]
      return to === undefined ? null : link(to, findTitle(to), null)
    }
    return { tabs, sidebar: list(nodes), previous: neighbour(-1), next: neighbour(1), trail: trailTo(site.nav, path) }
  }
}
