import type { FormulaRule } from '#markdown/formulas/formula-syntax.ts'
import type { IconLibrary } from '#markdown/icons/find-icon.ts'
import type { Dialect } from '#markdown/slugs.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { ApiSchema } from '#openapi/reading/api-documents.ts'
import type { Brand } from '#site/brand.ts'
import type { Language } from '#site/language.ts'
import type { PageFiles, ReportedFile } from '#site/page-paths.ts'
import type { NavNode, SourcePage } from '#site/source-page.ts'

export type SourceSite = {
  name: string
  description: string | null
  /** Accent colours as `#rrggbb`. */
  colors: { light: string | null; dark: string | null }
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  brand: Brand
  /** Language of pages that the site does not have, such as the 404 page. */
  language: Language
  /** Languages by the path of a page. */
  languages: ReadonlyMap<string, Language>
  pages: ReadonlyMap<string, SourcePage>
  nav: NavNode[]
  /** Path of the page that the site opens with. Null if there are no pages. */
  start: string | null
  hidden: ReadonlyMap<string, SourcePage>
  /** Folder of the pages with a trailing slash, or `''`. */
  root: string
  operations: ReadonlyMap<string, ApiOperation>
  schemas: ReadonlyMap<string, ApiSchema>
  dialect: Dialect
  formulas: FormulaRule
  icons: IconLibrary
  /** Folders that the tool publishes at the root of the site, with a trailing slash. */
  published: readonly string[]
  /** Folders by the prefix of a reference that stands for them, such as `@site/`; `/` is the root of the site. */
  aliases: ReadonlyMap<string, string>
  /** Folders with snippets, and files that are appended to every page. */
  snippets: { folders: readonly string[]; appended: readonly string[] }
  /** Texts that pages mention as `{{name}}`. */
  variables: [name: string, text: string][]
  redirects: ReadonlyMap<string, string>
  leftOut: ReportedFile[]
  /** Folder of the project in the source, with a trailing slash, or `''`. All files are below it. */
  base: string
  names: PageFiles['names']
}
