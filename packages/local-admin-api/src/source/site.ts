import type { Dialect } from '#markdown/slugs.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { FrontMatter } from '#source/front-matter.ts'

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

/** Everything the writer needs to know of a site before it reads the pages one after the other. */
export type SourceSite = {
  name: string
  description: string | null
  /** Accent colours as `#rrggbb`, for light and dark. */
  colors: { light: string | null; dark: string | null }
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  pages: ReadonlyMap<string, SourcePage>
  nav: NavNode[]
  /** Folder of the pages inside the source, with a slash behind it; empty for all of it. */
  root: string
  /** Operations of OpenAPI documents by the path of their page. */
  operations: ReadonlyMap<string, ApiOperation>
  /** How the tool that the site is written for makes ids from headings. */
  dialect: Dialect
  /** Old paths and where they lead now. */
  redirects: ReadonlyMap<string, string>
  /** Files that are no pages, and why; and what docs.json names but the folder lacks. */
  leftOut: { file: string; reason: string }[]
}
