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
