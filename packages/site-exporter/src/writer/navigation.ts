import { posix } from 'node:path'
import { findMethodClass, formatMethod } from '#openapi/method-badge.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { fillWording, type Words } from '#site/words.ts'
import { findPageWording } from '#writer/frame/language.ts'
import type { LinkFrom } from '#writer/frame/brand-links.ts'
import { toHtmlFile, toRelativeHref } from './addresses.ts'
import { markup, type Markup } from './markup.ts'
import { createNavIcons } from './nav-icons.ts'
import {
  createCounterparts,
  isLinkGroup,
  listLevels,
  listSwitches,
  renderSwitchMenu,
  type SwitchEntry,
} from './navigation-switches.ts'

/** Maximum pages of a site whose pages show the full navigation. Others show only open branches, or the bundle would grow quadratically. */
const showsAllUpTo = 40
/** Maximum entries of a sidebar with all outer groups open, and maximum pages of a site that has such sidebars. */
const opensUpTo = { entries: 120, pages: 3_000 }
/** Maximum entries per level; thousands on each page would take gigabytes. */
const maxEntries = 600

export type Navigation = {
  /** Rows of tabs, outermost first. */
  tabs: Markup[]
  tabTitles: ReadonlySet<string>
  /** Title of the section that contains the page, for the current link in the top bar. */
  section: string | null
  switches: Markup[]
  anchors: Markup | null
  sidebar: Markup
  previous: Markup | null
  next: Markup | null
  trail: string[]
}

/** Creates a function that returns the navigation of a page; `''` stands for the 404 page. */
export const createNavigation = (
  site: Pick<SourceSite, 'nav' | 'pages' | 'operations' | 'brand' | 'language' | 'languages'> &
    Partial<Pick<SourceSite, 'icons'>>,
  outside: LinkFrom,
) => {
  const icons = createNavIcons(site)
  /** Home pages are not in the order of pages: the site name links to them. */
  const isHome = (path: string) => site.pages.get(path)?.mode === 'home'
  const order = site.nav.flatMap(listPages).filter((path) => !isHome(path))
  const places = new Map(order.map((path, index) => [path, index]))
  const showsAll = order.length <= showsAllUpTo
  // Cached, because every page needs every group.
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

  const readTitle = (node: NavNode) => (node.kind === 'group' ? node.title : findTitle(node.path))
  const findCounterpart = createCounterparts()

  const labels = new Map<string, Markup>()
  const findLabel = (to: string, text: string, words: Words) => {
    const key = `${words.lang}\n${to}\n${text}`
    const known = labels.get(key) ?? renderLabel(to, text, words)
    labels.set(key, known)
    return known
  }
  const renderLabel = (to: string, text: string, words: Words) => {
    const method = site.operations.get(to)?.method
    const badge =
      method !== undefined &&
      text === findTitle(to) &&
      markup`<span class="method ${findMethodClass(method)}">${formatMethod(method)}</span> `
    const brand = text === findTitle(to) ? site.pages.get(to)?.brand : undefined
    const tag = brand?.tag ?? (brand?.isDeprecated === true ? words.content.deprecated : null)
    return markup`${icons.ofLink(to, text)}${badge}${text}${tag !== null && renderPageTag(tag)}`
  }

  // Cache for a single folder, whose pages share most links.
  let shared = { folder: '', links: new Map<string, Markup>(), items: new Map<NavNode, Markup>() }

  return (path: string): Navigation => {
    const here = toHtmlFile(path === '' ? '404' : path)
    const words = findPageWording(site, path)
    const folder = `${words.lang} ${posix.dirname(here)}`
    if (shared.folder !== folder) shared = { folder, links: new Map(), items: new Map() }
    const link = (to: string, text: string, current: 'page' | 'true' | null) => {
      if (current !== null) return newLink(to, text, current)
      const key = `${to}\n${text}`
      const anchor = shared.links.get(key) ?? newLink(to, text, null)
      shared.links.set(key, anchor)
      return anchor
    }
    const newLink = (to: string, text: string, current: 'page' | 'true' | null) => {
      const state = current && markup` aria-current="${current}"`
      const brand = text === findTitle(to) ? site.pages.get(to)?.brand : undefined
      const away = brand?.url ? outside(here, brand.url) : null
      const href = away?.href ?? toRelativeHref(here, toHtmlFile(to))
      const leaves = away && markup` class="leaves" rel="noopener noreferrer"`
      return markup`<a href="${href}"${leaves}${state}>${findLabel(to, text, words)}</a>`
    }

    const { levels, inside: nodes } = listLevels(site.nav, (node) => holds(node, path))
    const opensAll =
      order.length <= opensUpTo.pages &&
      nodes.reduce((sum, node) => sum + (node.kind === 'group' ? node.children.length : 1), 0) <= opensUpTo.entries
    const entryLink = ({ title, facet, isCurrent, node, href, icon }: SwitchEntry): Markup | null => {
      if (href !== null) {
        const found = outside(here, href)
        const leaves = found?.isOutside && markup` class="leaves" rel="noopener noreferrer"`
        return found && markup`<a href="${found.href}"${leaves ?? null}>${icons.ofEntry(icon)}${title}</a>`
      }
      if (!node || (node.kind === 'page' && isHome(node.path))) return null
      const from = levels.find(({ nodes: others }) => others.includes(node))?.current
      const to = facet === 'version' || facet === 'language' ? findCounterpart(path, from, node) : findFirst(node)
      return to === undefined ? null : link(to, title, isCurrent ? 'true' : null)
    }
    const tabs: Markup[] = []
    const tabTitles = new Set<string>()
    const switches: Markup[] = []
    const above: Markup[] = []
    for (const entries of listSwitches(levels, site.brand.globals, readTitle)) {
      const links = entries.flatMap((entry) => entryLink(entry) ?? [])
      const [{ facet } = { facet: 'tab' }] = entries
      if (facet === 'section') continue
      if (facet === 'tab') {
        tabs.push(markup`${links}`)
        for (const { title } of entries) tabTitles.add(title)
      } else if (facet === 'anchor')
        above.push(markup`<ul class="anchors">${links.map((one) => markup`<li>${one}</li>`)}</ul>`)
      else
        (facet === 'version' || facet === 'language' ? switches : above).push(renderSwitchMenu(entries, links, words))
    }

    const list = (level: readonly NavNode[]): Markup => {
      const { from, to } = selectEntries(level)
      const before = from > 0 && further(level[from - 1]!, fillWording(words, words.frame.before, { count: from }))
      const after =
        to < level.length && further(level[to]!, fillWording(words, words.frame.after, { count: level.length - to }))
      return markup`<ul>${before}${level.slice(from, to).map(item)}${after}</ul>`
    }
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
    const pageItem = (node: NavNode & { kind: 'page' }): Markup =>
      isHome(node.path)
        ? markup``
        : markup`<li>${link(node.path, findTitle(node.path), node.path === path ? 'page' : null)}${node.tag !== undefined && renderPageTag(node.tag)}</li>`
    const item = (node: NavNode): Markup => {
      if (node.kind === 'page' && node.path !== path) {
        const known = shared.items.get(node) ?? pageItem(node)
        shared.items.set(node, known)
        return known
      }
      if (node.kind === 'page') return pageItem(node)
      if (isLinkGroup(node)) {
        const end = outside(here, node.href)
        return end
          ? markup`<li><a class="leaves" href="${end.href}" rel="noopener noreferrer">${node.title}</a></li>`
          : markup``
      }
      const isOuter = opensAll && nodes.includes(node)
      const opens = showsAll || isOuter || (opensAll && node.isOpen === true)
      const open = (opens && node.isOpen !== false) || holds(node, path)
      const first = findFirst(node)
      if (open || first === undefined)
        return markup`<li class="open"><span>${icons.ofEntry(node.icon)}${node.title}${node.tag !== undefined && renderPageTag(node.tag)}</span>${list(node.children)}</li>`
      return markup`<li class="closed">${link(first, node.title, null)}</li>`
    }

    const index = places.get(path)
    const editions = levels.flatMap(({ current }) => (isEdition(current) ? [current] : []))
    const neighbour = (step: 1 | -1) => {
      const to = index === undefined ? undefined : order[index + step]
      return to !== undefined && editions.every((edition) => holds(edition, to)) ? link(to, findTitle(to), null) : null
    }
    return {
      tabs,
      tabTitles,
      section: levels.flatMap(({ current }) => (isSection(current) ? [current.title] : [])).at(-1) ?? null,
      switches,
      anchors: above.length > 0 ? markup`${above}` : null,
      sidebar: list(nodes),
      previous: neighbour(-1),
      next: neighbour(1),
      trail: trailTo(site.nav, path),
    }
  }
}

/** A language or a version: readers change it by its switch, not by reading on. */
const isEdition = (node: NavNode | undefined): node is NavNode & { kind: 'group' } =>
  node?.kind === 'group' && (node.facet === 'language' || node.facet === 'version')

const isSection = (node: NavNode | undefined): node is NavNode & { kind: 'group' } =>
  node?.kind === 'group' && node.facet === 'section'

const renderPageTag = (tag: string) => markup` <span class="page-tag">${tag}</span>`
