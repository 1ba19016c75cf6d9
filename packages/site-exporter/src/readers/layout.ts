import type { Dialect } from '#markdown/slugs.ts'
import { plainBrand } from '#site/brand.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { SourceSite } from './source-site.ts'

export type ReadNavigation = Pick<SourceSite, 'nav' | 'leftOut'> & {
  titles: Map<string, string>
  missing: string[]
  pages?: SourcePage[]
}

export type Pages = ReadonlyMap<string, SourcePage>

export type SiteLayout = Pick<
  SourceSite,
  'colors' | 'logo' | 'favicon' | 'brand' | 'published' | 'aliases' | 'snippets' | 'redirects' | 'leftOut'
> & {
  kind: 'docs-json' | 'vitepress' | 'starlight' | 'docusaurus' | 'mkdocs' | 'book' | 'folder'
  dialect: Dialect
  root: string
  /** Reason why a file is not a page, or null. */
  reasonAgainst(file: string): string | null
  /** File name from which the path of a page is derived; null for a file that is not a page. Without this function, the name below `root`. */
  toPageName: ((file: string) => string | null) | null
  title: string | null
  description: string | null
  /** Null when the navigation follows the folders. */
  readNavigation: ((pages: Pages) => ReadNavigation | Promise<ReadNavigation>) | null
}

export const plainLayout: SiteLayout = {
  kind: 'folder',
  dialect: 'common',
  root: '',
  reasonAgainst: () => null,
  toPageName: null,
  title: null,
  description: null,
  colors: { light: null, dark: null },
  logo: { light: null, dark: null },
  favicon: null,
  brand: plainBrand,
  published: [],
  aliases: new Map(),
  snippets: { folders: [], appended: [] },
  redirects: new Map(),
  leftOut: [],
  readNavigation: null,
}
