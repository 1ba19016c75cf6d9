import type { Dialect } from '#markdown/slugs.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { NavNode, SourcePage } from '#site/source-page.ts'

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
