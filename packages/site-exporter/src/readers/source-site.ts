import type { Dialect } from '#markdown/slugs.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { Brand } from '#site/brand.ts'
import type { NavNode, SourcePage } from '#site/source-page.ts'

/** Site structure, before any page is rendered. */
export type SourceSite = {
  name: string
  description: string | null
  /** Accent colours as `#rrggbb`. */
  colors: { light: string | null; dark: string | null }
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  brand: Brand
  pages: ReadonlyMap<string, SourcePage>
  nav: NavNode[]
  /** Folder of the pages with a trailing slash, or `''`. */
  root: string
  /** Operations by page path. */
  operations: ReadonlyMap<string, ApiOperation>
  dialect: Dialect
  /** Old paths and their targets. */
  redirects: ReadonlyMap<string, string>
  /** Files that are no pages, and missing navigation entries. */
  leftOut: { file: string; reason: string }[]
}
