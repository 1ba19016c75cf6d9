import type { Element, Root } from 'hast'
import {
  readClasses,
  listChildElements,
  findElement,
  findElements,
  isElement,
  readAttribute,
  readText,
  readTitle,
  removeElements,
} from './elements.ts'
import { resolveWebAddress } from './page-facts.ts'

export type SideNode = { title: string; url: string } | { title: string; children: SideNode[] }

const maxLinks = 5_000
const maxDepth = 6
const notNavigation =
  /breadcrumb|related|pagination|pager|prev-next|neighbours|toc[ -]|table-of-contents|contents |on-this-page|edit|language|footer/i

export const readSidebar = (page: Root, content: Element | Root, base: string): SideNode[] => {
  const isLink = (node: Element) => isElement(node, 'a') && 'href' in node.properties
  const inHeader = new Set(
    findElements(page, isHeader, false).flatMap((header) => [header, ...findElements(header, () => true)]),
  )
  const isOwn = (href: string) => resolveWebAddress(href, base)?.startsWith(`${new URL(base).origin}/`)
  const outside = (node: Element) => node !== content && !inHeader.has(node) && !containsElement(node, content)
  const candidates = findElements(
    page,
    (node) =>
      (isElement(node, 'nav', 'aside') ||
        readAttribute(node, 'role') === 'navigation' ||
        /[ _-](sidebar|menu|toctree(?!-wrapper|-l\d)|side-nav|sidenav)[ _-]/i.test(readClasses(node))) &&
      outside(node) &&
      !notNavigation.test(`${readClasses(node)} ${readAttribute(node, 'ariaLabel')} ${readAttribute(node, 'id')} `),
    false,
  )
  let best: { node: Element; links: number } | null = null
  for (const node of candidates) {
    const links = new Set(
      findElements(node, isLink)
        .filter((link) => !isStep(link))
        .map((link) => readAttribute(link, 'href'))
        .filter((href) => !href.startsWith('#') && isOwn(href)),
    ).size
    if (links >= 3 && links <= maxLinks && (!best || links > best.links)) best = { node, links }
  }
  return flattenNodes(best ? readTree(best.node, base) : readContents(content, base), 0)
}

/** Reads a table of contents inside the content, for sites without a full sidebar. */
const readContents = (content: Element | Root, base: string): SideNode[] => {
  const lists = findElements(content, (node) => / toctree-wrapper /.test(readClasses(node)), false)
  const below = lists.flatMap((list) => readTree(list, base))
  const heading = findElement(content, (node) => isElement(node, 'h1'))
  if (below.length === 0) return []
  const title = heading ? readTitle(heading) : ''
  return title === '' ? below : [{ title, children: [{ title, url: base }, ...below] }]
}

const isHeader = (node: Element) =>
  node.tagName === 'header' ||
  readAttribute(node, 'role') === 'banner' ||
  / (navbar|topbar|top-nav) /.test(readClasses(node))

const isUnseen = (node: Element) => / (visually-hidden|sr-only|screen-reader-text) /.test(readClasses(node))

const isStep = (node: Element) =>
  isElement(node, 'a') &&
  (/^(previous|next) (chapter|page|topic)$/i.test(readAttribute(node, 'title')) ||
    /^(prev|next)$/.test(readAttribute(node, 'rel')))

const containsElement = (node: Element, inner: Element | Root): boolean =>
  findElement(node, (child) => child === inner) !== undefined

/** The `below` nodes belong to the preceding entry. */
type Piece = SideNode | { label: string } | { below: SideNode[] }

const readTree = (node: Element, base: string): SideNode[] => groupPieces(readPieces(node, base))

const readPieces = (node: Element, base: string): Piece[] =>
  listChildElements(node).flatMap((child): Piece[] => {
    if (/^(svg|script|style|input|form|template)$/.test(child.tagName) || isUnseen(child) || isStep(child)) return []
    if (child.tagName === 'a') {
      const url = resolveWebAddress(readAttribute(child, 'href'), base)
      const title = readText(child)
      if (url === null || title === '' || title.length > 160) return []
      // A link that only toggles a group is its label.
      return 'href' in child.properties && !readAttribute(child, 'href').startsWith('#')
        ? [{ title, url }]
        : [{ label: title }]
    }
    const hasLink = findElement(child, (inner) => isElement(inner, 'a')) !== undefined
    if (!hasLink) {
      const label = readText(child)
      return label !== '' && label.length <= 120 ? [{ label }] : []
    }
    if (child.tagName === 'li') return readEntry(child, base)
    const pieces = readPieces(child, base)
    const isGroup = /^(section|details)$/.test(child.tagName) && groupPieces(pieces).length > 0
    return isGroup ? groupPieces(pieces) : pieces
  })

/** Entry of a list. A nested list makes it a group that begins with its own page. */
const readEntry = (item: Element, base: string): Piece[] => {
  const lists = findElements(item, (node) => isElement(node, 'ul', 'ol'), false)
  const inside = lists.flatMap((list) => groupPieces(readPieces(list, base)))
  const own = readPieces(removeElements(item, lists), base)
  if (inside.length === 0) return groupPieces(own)
  const [head] = own
  if (head === undefined) return [{ below: inside }]
  if ('label' in head) return [{ title: head.label, children: [...groupPieces(own.slice(1)), ...inside] }]
  if (!('url' in head)) return [...groupPieces(own), ...inside]
  // Some tools link a group to its first page.
  const isOneInside = listUrls(inside).includes(head.url)
  return [{ title: head.title, children: [...groupPieces(isOneInside ? own.slice(1) : own), ...inside] }]
}

const listUrls = (nodes: readonly SideNode[]): string[] =>
  nodes.flatMap((node) => ('url' in node ? [node.url] : listUrls(node.children)))

const groupPieces = (pieces: readonly Piece[]): SideNode[] => {
  const nodes: SideNode[] = []
  let group: { title: string; children: SideNode[] } | null = null
  for (const piece of pieces) {
    if ('label' in piece) {
      group = { title: piece.label, children: [] }
      continue
    }
    if (group && group.children.length === 0) nodes.push(group)
    const level: SideNode[] = group?.children ?? nodes
    if (!('below' in piece)) level.push(piece)
    else {
      const before = level.pop()
      if (before === undefined) level.push(...piece.below)
      else if ('url' in before) level.push({ title: before.title, children: [before, ...piece.below] })
      else level.push({ ...before, children: [...before.children, ...piece.below] })
    }
  }
  return nodes
}

const flattenNodes = (nodes: readonly SideNode[], depth: number): SideNode[] =>
  nodes.flatMap((node): SideNode[] => {
    if ('url' in node) return [node]
    const children = flattenNodes(node.children, depth + 1)
    return depth >= maxDepth ? children : [{ ...node, children }]
  })
