import type { ExtractedPage } from '#mirror/extract/extract-page.ts'
import { navigationParts } from '#mirror/finding/navigation.ts'

/** A crawled page; its content is in a draft. */
export type CrawledPage = Pick<
  ExtractedPage,
  'title' | 'documentTitle' | 'siteName' | 'description' | 'icon' | 'color' | 'isEmpty' | 'isThin'
> & {
  key: string
  /** Key of its canonical page, if another one. */
  canonical: string | null
  /** Digest of title and content. */
  digest: string
}

/** State of a crawl. */
export type Crawled = {
  pages: Map<string, CrawledPage>
  /** Redirected keys and their targets. */
  aliases: Map<string, string>
  /** Keys of files, with their addresses. */
  files: Map<string, string>
  /** Files of this origin that pages show or link. */
  media: Set<string>
  /** Keys that answer 404. */
  missing: Set<string>
  navigation: ReturnType<typeof navigationParts>
  /** Keys that the first page links, in order. */
  linkedFirst: string[]
}

/** Empty state of a crawl. */
export const nothingCrawled = (toKey: (url: string) => string | null): Crawled => ({
  pages: new Map(),
  aliases: new Map(),
  files: new Map(),
  media: new Set(),
  missing: new Set(),
  navigation: navigationParts(toKey),
  linkedFirst: [],
})
