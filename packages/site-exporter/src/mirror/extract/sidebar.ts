import type { Element, Root } from 'hast'
import {
  readClasses,
  elementsIn,
  find,
  findAll,
  isElement,
  textAttribute,
  readText,
  readTitle,
  withoutElements,
} from './elements.ts'
import { absolute } from './page-facts.ts'

export type SideNode = { title: string; url: string } | { title: string; children: SideNode[] }

const maxLinks = 5_000
const maxDepth = 6
const notNavigation =
  /breadcrumb|related|pagination|pager|prev-next|neighbours|toc[ -]|table-of-contents|contents |on-this-page|edit|language|footer/i

export const readSidebar = (page: Root, content: Element | Root, base: string): SideNode[] => {
  const isLink = (node: Element) => isElement(node, 'a') && 'href' in node.properties
  const inHeader = new Set(findAll(page, isHeader, false).flatMap((header) => [header, ...findAll(header, () => true)]))
  const isOwn = (href: string) => absolute(href, base)?.startsWith(`${new URL(base).origin}/`)
  const outside = (node: Element) => node !== content && !inHeader.has(node) && !holds(node, content)
  const candidates = findAll(
    page,
    (node) =>
      (isElement(node, 'nav', 'aside') ||
        textAttribute(node, 'role') === 'navigation' ||
        /[ _-](sidebar|menu|toctree(?!-wrapper|-l\d)|side-nav|sidenav)[ _-]/i.test(readClasses(node))) &&
      outside(node) &&
      !notNavigation.test(`${readClasses(node)} ${textAttribute(node, 'ariaLabel')} ${textAttribute(node, 'id')} `),
    false,
  )
  let best: { node: Element; links: number } | null = null
  for (const node of candidates) {
    const links = new Set(
      findAll(node, isLink)
        .filter((link) => !isStep(link))
        .map((link) => textAttribute(link, 'href'))
        .filter((href) => !href.startsWith('#') && isOwn(href)),
    ).size
    if (links >= 3 && links <= maxLinks && (!best || links > best.links)) best = { node, links }
  }
  return flat(best ? readTree(best.node, base) : readContents(content, base), 0)
}

/** Reads a table of contents inside the content, for sites without a full sidebar. */
const readContents = (content: Element | Root, base: string): SideNode[] => {
  const lists = findAll(content, (node) => / toctree-wrapper /.test(readClasses(node)), false)
  const below = lists.flatMap((list) => readTree(list, base))
  const heading = find(content, (node) => isElement(node, 'h1'))
  if (below.length === 0) return []
  const title = heading ? readTitle(heading) : ''
  return title === '' ? below : [{ title, children: [{ title, url: base }, ...below] }]
}

const isHeader = (node: Element) =>
  node.tagName === 'header' ||
  textAttribute(node, 'role') === 'banner' ||
  / (navbar|topbar|top-nav) /.test(readClasses(node))

const isUnseen = (node: Element) => / (visually-hidden|sr-only|screen-reader-text) /.test(readClasses(node))

const isStep = (node: Element) =>
  isElement(node, 'a') &&
  (/^(previous|next) (chapter|page|topic)$/i.test(textAttribute(node, 'title')) ||
    /^(prev|next)$/.test(textAttribute(node, 'rel')))

const holds = (node: Element, inner: Element | Root): boolean => find(node, (child) => child === inner) !== undefined

/** The `below` nodes belong to the preceding entry. */
type Piece = SideNode | { label: string } | { below: SideNode[] }

const readTree = (node: Element, base: string): SideNode[] => grouped(readPieces(node, base))

const readPieces = (node: Element, base: string): Piece[] =>
  elementsIn(node).flatMap((child): Piece[] => {
    if (/^(svg|script|style|input|form|template)$/.test(child.tagName) || isUnseen(child) || isStep(child)) return []
    if (child.tagName === 'a') {
      const url = absolute(textAttribute(child, 'href'), base)
      const title = readText(child)
      if (url === null || title === '' || title.length > 160) return []
      // A link that only toggles a group is its label.
      return 'href' in child.properties && !textAttribute(child, 'href').startsWith('#')
        ? [{ title, url }]
        : [{ label: title }]
    }
    const hasLink = find(child, (inner) => isElement(inner, 'a')) !== undefined
    if (!hasLink) {
      const label = readText(child)
      return label !== '' && label.length <= 120 ? [{ label }] : []
    }
    if (child.tagName === 'li') return entry(child, base)
    const pieces = readPieces(child, base)
    const isGroup = /^(section|details)$/.test(child.tagName) && grouped(pieces).length > 0
    return isGroup ? grouped(pieces) : pieces
  })

/** Entry of a list. A nested list makes it a group that begins with its own page. */
const entry = (item: Element, base: string): Piece[] => {
  const lists = findAll(item, (node) => isElement(node, 'ul', 'ol'), false)
  const inside = lists.flatMap((list) => grouped(readPieces(list, base)))
  const own = readPieces(withoutElements(item, lists), base)
  if (inside.length === 0) return grouped(own)
  const [head] = own
  if (head === undefined) return [{ below: inside }]
  if ('label' in head) return [{ title: head.label, children: [...grouped(own.slice(1)), ...inside] }]
  if (!('url' in head)) return [...grouped(own), ...inside]
  // Some tools link a group to its first page.
  const isOneInside = urlsIn(inside).includes(head.url)
  return [{ title: head.title, children: [...grouped(isOneInside ? own.slice(1) : own), ...inside] }]
}

const urlsIn = (nodes: readonly SideNode[]): string[] =>
  nodes.flatMap((node) => ('url' in node ? [node.url] : urlsIn(node.children)))

const grouped = (pieces: readonly Piece[]): SideNode[] => {
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

const flat = (nodes: readonly SideNode[], depth: number): SideNode[] =>
  nodes.flatMap((node): SideNode[] => {
    if ('url' in node) return [node]
    const children = flat(node.children, depth + 1)
    return depth >= maxDepth ? children : [{ ...node, children }]
  })
