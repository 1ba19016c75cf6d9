import type { ExtractedPage } from '#mirror/extract/extract-page.ts'
import { navigationParts } from '#mirror/finding/navigation.ts'

/** A page that was read. Its content is among the drafts. */
export type CrawledPage = Pick<
  ExtractedPage,
  'title' | 'documentTitle' | 'siteName' | 'description' | 'icon' | 'color' | 'isEmpty'
> & {
  key: string
  /** Key of the page that it names as the one to be listed, if that is another one. */
  canonical: string | null
  /** Of its title and content. */
  digest: string
}

/** What is known of a site while it is read. */
export type Crawled = {
  pages: Map<string, CrawledPage>
  /** Other keys of pages. */
  aliases: Map<string, string>
  /** Keys that turned out to be files, with their addresses. */
  files: Map<string, string>
  /** Addresses of this origin that pages show or link as files. */
  media: Set<string>
  /** Keys at which the site has nothing. */
  missing: Set<string>
  navigation: ReturnType<typeof navigationParts>
  /** Keys that the first page links, in its order. */
  linkedFirst: string[]
}

/** Nothing yet. `keyOf` gives the key of the page at an address, if it can be one. */
export const nothingCrawled = (toKey: (url: string) => string | null): Crawled => ({
  pages: new Map(),
  aliases: new Map(),
  files: new Map(),
  media: new Set(),
  missing: new Set(),
  navigation: navigationParts(toKey),
  linkedFirst: [],
})
