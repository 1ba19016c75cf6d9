import type { SourceSite } from '#readers/source-site.ts'

/** Shared parts of all pages. Files are in the bundle. */
export type Frame = {
  site: SourceSite
  version: string | null
  logo: { light: string; dark: string } | null
  /** Null for the default icon. */
  favicon: string | null
  /** `https://docs.example.com` for a public domain, else null. */
  base: string | null
  /** False for deployments without search (Admin API §1); every page says so. */
  search: boolean
}
