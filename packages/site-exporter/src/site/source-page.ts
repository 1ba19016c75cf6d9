import type { Facet } from './brand.ts'
import type { FrontMatter } from './front-matter.ts'

export type SourcePage = Omit<FrontMatter, 'body' | 'homeTitle'> & {
  /** Path without `.html`: `guide/start`, `index`. */
  path: string
  file: string
  /** Title from the front matter, else from the first heading, else from the file name. Never empty. */
  title: string
  /** True when the first heading must not replace the title. */
  isTitleFixed: boolean
  body?: string
  /** Notice that the page shows instead of its operation or schema, which is missing in all documents. */
  missing?: { part: 'operation' | 'schema' | 'channel'; name: string }
}

export type NavNode =
  | {
      kind: 'page'
      path: string
      tag?: string
    }
  | {
      kind: 'group'
      title: string
      isTab: boolean
      children: NavNode[]
      facet?: Facet
      href?: string
      tag?: string
      icon?: string
      /** Language of the pages, such as `pt-BR`. */
      lang?: string
      /** True for a chapter without a page. */
      isDraft?: boolean
      /** True when the group is open on every page, false when it is open only on its own pages. */
      isOpen?: boolean
    }

export const listPages = (node: NavNode): string[] =>
  node.kind === 'page' ? [node.path] : node.children.flatMap(listPages)

export const pruneNav = (nodes: readonly NavNode[], keeps: (path: string) => boolean = () => true): NavNode[] =>
  nodes.flatMap((node): NavNode[] => {
    if (node.kind === 'page') return keeps(node.path) ? [node] : []
    const children = pruneNav(node.children, keeps)
    return children.length > 0 || node.href !== undefined || node.isDraft ? [{ ...node, children }] : []
  })
