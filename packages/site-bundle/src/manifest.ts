import type { BundleRules } from './site-rules.ts'

export type BundleFile = {
  /** Path in the archive: relative, normalised, with `/`. */
  path: string
  sizeBytes: number
  /** SHA-256, lower-case hexadecimal. */
  sha256: string
  /** Media type without parameters, by the name or by the first bytes. */
  type: string
  /** Of a text: null when a header must not name an encoding, because the file has another one or declares its own. Absent in manifests of 1.0.0. */
  charset?: 'utf-8' | null
  /** Set for a file that is sent as it is and decoded by the browser, such as `.svgz`. */
  contentEncoding?: 'gzip'
}

/** Two builds of the same page have the same description. */
export type PageDescription = {
  title: string
  /** BCP 47; empty when the page does not specify it. */
  language: string
  headings: { level: number; text: string; id: string }[]
  words: number
  /** SHA-256 of the main text with single spaces, lower-case hexadecimal. */
  textHash: string
  /** Hash of the description and of what readers notice beside the text, such as struck words and states of forms; empty for none. Absent in manifests of 1.0.0. */
  details?: string
  /** Finds similar texts without reading them; see `comparison`. */
  signature: string
  /** Addresses that the main content links to, in order, without duplicates. */
  links: string[]
  /** Images, media and downloads that the main content shows, by content: build names do not matter. */
  shows: string[]
  /** SHA-256 of what pages share: text and links of navigation, header and footer, and the styles and scripts by content. Null when absent. */
  shared: Record<'navigation' | 'header' | 'footer' | 'theme', string | null>
}

export type BundlePage = PageDescription & {
  /** Address within the site, such as `/guide/`: that of a reader, without `index.html` and `.html`. */
  address: string
  path: string
  sizeBytes: number
  /** Set when the page is only a redirect. An address or URL. */
  redirectsTo: string | null
}

/** Stored as gzipped JSON beside the bundle. */
export type Manifest = {
  version: 1
  /** SHA-256 of the bundle, lower-case hexadecimal. */
  sha256: string
  /** Ending of a file with these bytes. */
  ending: '.tar.gz' | '.tar.zst' | '.tar' | '.zip'
  sizeBytes: number
  contentBytes: number
  /** Folder in the archive that is the root of the site: empty, or such as `site/`. */
  root: string
  files: BundleFile[]
  /** In the order of their addresses. */
  pages: BundlePage[]
  /** Redirects as Docket 1.0 reads them. `rules` has them whole. */
  redirects: { from: string; to: string }[]
  /** Absolute path that the site is built for, such as `/docs/`. Missing: `/`. */
  mount?: string
  /** What `_redirects`, `_headers` and `vercel.json` say. Missing in manifests of Docket 1.0. */
  rules?: BundleRules
}
