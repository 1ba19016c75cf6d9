import { listPages, type NavNode } from '#site/source-page.ts'
import type { Words } from '#site/words.ts'
import type { Brand, Facet } from '#site/brand.ts'
import { markup, type Markup } from './markup.ts'

export type Level = {
  current: NavNode | undefined
  nodes: readonly NavNode[]
}

export type SwitchEntry = {
  title: string
  facet: Facet
  isCurrent: boolean
  node: NavNode | null
  href: string | null
  icon: string | null
}

const readFacet = (node: NavNode): Facet => (node.kind === 'group' ? (node.facet ?? 'tab') : 'tab')

export const isLinkGroup = (node: NavNode): node is NavNode & { kind: 'group'; href: string } =>
  node.kind === 'group' && node.href !== undefined && node.children.length === 0

/** True for a tab that is only a link. Other links stay in the sidebar. */
const isTabLink = (node: NavNode) => isLinkGroup(node) && node.isTab

/** Splits a navigation into the levels above the sidebar, outermost first, and the nodes of the sidebar. Entries that are only links stay on their level. */
export const listLevels = (
  nav: readonly NavNode[],
  holds: (node: NavNode) => boolean,
): { levels: Level[]; inside: readonly NavNode[] } => {
  const levels: Level[] = []
  let nodes = nav
  for (;;) {
    const pages = nodes.filter((node) => !isTabLink(node))
    const isTabbed = pages.some((node) => node.kind === 'group' && node.isTab)
    const current = isTabbed ? (pages.find(holds) ?? pages[0]) : undefined
    if (isTabbed || pages.length < nodes.length)
      levels.push({ current, nodes: isTabbed ? nodes : nodes.filter(isTabLink) })
    if (current === undefined) return { levels, inside: pages }
    nodes = current.kind === 'group' ? current.children : [current]
    if (current.kind === 'page') return { levels, inside: nodes }
  }
}

export const listSwitches = (
  levels: readonly Level[],
  globals: Brand['globals'],
  readTitle: (node: NavNode) => string,
): SwitchEntry[][] => {
  const left = [...globals]
  const takeGlobals = (facet: Facet): SwitchEntry[] => {
    const own = left.filter((entry) => entry.facet === facet)
    for (const entry of own) left.splice(left.indexOf(entry), 1)
    return own.map(({ label, href, icon }) => ({ title: label, facet, isCurrent: false, node: null, href, icon }))
  }
  const switches = levels.flatMap(({ nodes, current }) =>
    [...new Set(nodes.map(readFacet))].map((facet) => [
      ...nodes
        .filter((node) => readFacet(node) === facet)
        .map((node) => ({
          title: readTitle(node),
          facet,
          isCurrent: node === current,
          node: isLinkGroup(node) ? null : node,
          href: isLinkGroup(node) ? node.href : null,
          icon: isLinkGroup(node) ? (node.icon ?? null) : null,
        })),
      ...takeGlobals(facet),
    ]),
  )
  while (left.length > 0) switches.push(takeGlobals(left[0]!.facet))
  return switches.filter((entries) => entries.length > 1 || entries.some(({ href }) => href !== null))
}

/** Finds the page at the same path in another version or language; else the first page there. */
export const createCounterparts = () => {
  const branches = new Map<NavNode, { prefix: string; pages: ReadonlySet<string> }>()
  const readBranch = (node: NavNode) => {
    const known = branches.get(node)
    if (known) return known
    const pages = listPages(node)
    const branch = { prefix: findCommonFolder(pages), pages: new Set(pages) }
    branches.set(node, branch)
    return branch
  }
  return (path: string, from: NavNode | undefined, to: NavNode): string | undefined => {
    const target = readBranch(to)
    const place = from && path.slice(readBranch(from).prefix.length)
    return place !== undefined && target.pages.has(target.prefix + place)
      ? target.prefix + place
      : target.pages.values().next().value
  }
}

const findCommonFolder = (paths: readonly string[]): string => {
  const [first = '', ...others] = paths
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  for (const path of others)
    while (!path.startsWith(folder)) folder = folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1)
  return folder
}

/** Menu that works without scripts. */
export const renderSwitchMenu = (
  entries: readonly SwitchEntry[],
  links: readonly Markup[],
  { frame }: Words,
): Markup => {
  const [first] = entries
  const current = entries.find(({ isCurrent }) => isCurrent)
  const facet = first!.facet
  const word = facet === 'product' || facet === 'version' || facet === 'language' ? frame[facet] : frame.tab
  return markup`<details class="switch"><summary><span class="sr-only">${word}: </span>${current?.title ?? word}</summary><ul>${links.map((link) => markup`<li>${link}</li>`)}</ul></details>`
}
