import type { Element, Root } from 'hast'
import { absolute } from '#mirror/extract/page-facts.ts'
import { classesOf, elementsIn, find, findAll, isElement, textAttribute, wordsOf } from '#mirror/extract/elements.ts'

/** Part of the navigation as a page shows it. */
export type SideNode = { title: string; url: string } | { title: string; children: SideNode[] }

const mostLinks = 5_000
const mostDepth = 6
const notNavigation =
  /breadcrumb|pagination|pager|prev-next|neighbours|toc[ -]|table-of-contents|contents |on-this-page|edit|language|footer/i

/** The navigation of the whole site that a page carries beside its `content`: the list with the most links. Empty when there is none. */
export const sidebarOf = (page: Root, content: Element | Root, base: string): SideNode[] => {
  const isLink = (node: Element) => isElement(node, 'a') && 'href' in node.properties
  const inHeader = new Set(findAll(page, isHeader, false).flatMap((header) => [header, ...findAll(header, () => true)]))
  const outside = (node: Element) => node !== content && !inHeader.has(node) && !holds(node, content)
  const candidates = findAll(
    page,
    (node) =>
      (isElement(node, 'nav', 'aside') ||
        textAttribute(node, 'role') === 'navigation' ||
        /[ _-](sidebar|menu|toctree|side-nav|sidenav)[ _-]/i.test(classesOf(node))) &&
      outside(node) &&
      !notNavigation.test(`${classesOf(node)} ${textAttribute(node, 'ariaLabel')} ${textAttribute(node, 'id')} `),
    false,
  )
  let best: { node: Element; links: number } | null = null
  for (const node of candidates) {
    const links = new Set(
      findAll(node, isLink)
        .map((link) => textAttribute(link, 'href'))
        .filter((href) => !href.startsWith('#')),
    ).size
    if (links >= 3 && links <= mostLinks && (!best || links > best.links)) best = { node, links }
  }
  return best ? flat(treeOf(best.node, base), 0) : []
}

const isHeader = (node: Element) =>
  node.tagName === 'header' ||
  textAttribute(node, 'role') === 'banner' ||
  / (navbar|topbar|top-nav) /.test(classesOf(node))

/** Words for screen readers are about the navigation, and no part of it. */
const isUnseen = (node: Element) => / (visually-hidden|sr-only|screen-reader-text) /.test(classesOf(node))

const holds = (node: Element, inner: Element | Root): boolean => find(node, (child) => child === inner) !== undefined

type Piece = SideNode | { label: string }

const treeOf = (node: Element, base: string): SideNode[] => grouped(piecesOf(node, base))

/** What stands in an element, in order: links, groups, and words that are a label for what follows them. */
const piecesOf = (node: Element, base: string): Piece[] =>
  elementsIn(node).flatMap((child): Piece[] => {
    if (/^(svg|script|style|input|form|template)$/.test(child.tagName) || isUnseen(child)) return []
    if (child.tagName === 'a') {
      const url = absolute(textAttribute(child, 'href'), base)
      const title = wordsOf(child)
      if (url === null || title === '' || title.length > 160) return []
      // A link that only opens and closes a group is its label.
      return 'href' in child.properties && !textAttribute(child, 'href').startsWith('#')
        ? [{ title, url }]
        : [{ label: title }]
    }
    const hasLink = find(child, (inner) => isElement(inner, 'a')) !== undefined
    if (!hasLink) {
      const label = wordsOf(child)
      return label !== '' && label.length <= 120 ? [{ label }] : []
    }
    if (/^(button|summary|h[1-6]|p|span)$/.test(child.tagName)) return piecesOf(child, base)
    const pieces = piecesOf(child, base)
    // An entry with a list below it is a group with its own page first.
    const [first, ...rest] = pieces
    if (child.tagName === 'li' && first && 'url' in first && rest.some((piece) => !('label' in piece)))
      return [{ title: first.title, children: [first, ...grouped(rest)] }]
    return grouped(pieces).length === 0
      ? pieces
      : /^(li|section|details)$/.test(child.tagName)
        ? grouped(pieces)
        : pieces
  })

/** Lets each label begin a group of what follows it. */
const grouped = (pieces: readonly Piece[]): SideNode[] => {
  const nodes: SideNode[] = []
  let group: { title: string; children: SideNode[] } | null = null
  for (const piece of pieces) {
    if ('label' in piece) {
      group = { title: piece.label, children: [] }
      continue
    }
    if (group && group.children.length === 0) nodes.push(group)
    ;(group?.children ?? nodes).push(piece)
  }
  return nodes
}

/** Deeper groups than a navigation can show become part of the one around them. */
const flat = (nodes: readonly SideNode[], depth: number): SideNode[] =>
  nodes.flatMap((node): SideNode[] => {
    if ('url' in node) return [node]
    const children = flat(node.children, depth + 1)
    return depth >= mostDepth ? children : [{ ...node, children }]
  })
