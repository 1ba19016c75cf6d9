import type { SourceSite } from '#readers/source-site.ts'

/** Parts that every page shares. Files are those of the bundle. */
export type Frame = {
  site: SourceSite
  version: string | null
  logo: { light: string; dark: string } | null
  /** Null: the site brings none and gets a plain one. */
  favicon: string | null
  /** `https://docs.example.com`, where the domain is a public one. */
  base: string | null
  /** Whether readers can search. Where deployments have none (Admin API §1), every page says so. */
  search: boolean
}
