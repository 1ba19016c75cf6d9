import type { FrontMatter } from './front-matter.ts'

/** A page of the source, not yet rendered. */
export type SourcePage = Omit<FrontMatter, 'body'> & {
  /** `guide/start`, `index`; the written file has `.html` behind it. */
  path: string
  file: string
  /** Never empty: from the front matter, else the first heading, else the file name. */
  title: string
  /** Whether the page is titled so whatever its first heading says. */
  isTitleFixed: boolean
}

/** The navigation: pages, and groups that may have a page of their own. */
export type NavNode =
  | { kind: 'page'; path: string }
  | { kind: 'group'; title: string; isTab: boolean; children: NavNode[] }

/** Paths of the pages of a node, in order. */
export const listPages = (node: NavNode): string[] =>
  node.kind === 'page' ? [node.path] : node.children.flatMap(listPages)

/** The navigation without pages that `keeps` refuses, and without empty groups. */
export const pruneNav = (nodes: readonly NavNode[], keeps: (path: string) => boolean = () => true): NavNode[] =>
  nodes.flatMap((node): NavNode[] => {
    if (node.kind === 'page') return keeps(node.path) ? [node] : []
    const children = pruneNav(node.children, keeps)
    return children.length > 0 ? [{ ...node, children }] : []
  })
