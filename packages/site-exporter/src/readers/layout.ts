import { posix } from 'node:path'
import type { Dialect } from '#markdown/slugs.ts'
import { plainBrand } from '#site/brand.ts'
import { asText } from '#site/data.ts'
import type { DeclaredLanguage } from '#site/language.ts'
import type { FindPage, PageRules } from '#site/page-paths.ts'
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
> &
  PageRules & {
    kind: 'docs-json' | 'vitepress' | 'starlight' | 'docusaurus' | 'mkdocs' | 'book' | 'folder'
    dialect: Dialect
    title: string | null
    description: string | null
    languages: readonly DeclaredLanguage[]
    /** Null when the navigation follows the folders. */
    readNavigation: ((pages: Pages, find: FindPage) => ReadNavigation | Promise<ReadNavigation>) | null
  }

/** Folder of a setting with a trailing slash; `usual` for none, and for one outside of the project. */
export const toFolder = (value: unknown, usual = ''): string => {
  const folder = posix.normalize(asText(value) ?? usual).replace(/^(\.?\/)+|^\.$|\/+$/g, '')
  return folder === '' || folder.startsWith('..') ? usual : `${folder}/`
}

export const plainLayout: SiteLayout = {
  kind: 'folder',
  dialect: 'common',
  root: '',
  reasonAgainst: () => null,
  toPageName: null,
  title: null,
  description: null,
  languages: [],
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
