import { sourceLimits } from '@docket/sources/limits'
import { limits } from '#site/limits.ts'

/** What reading one site may cost. What is over a limit is left out and named in the report; the rest of the site is read. */
export type MirrorLimits = {
  pages: number
  /** Addresses that may wait to be read, pages or not. */
  addresses: number
  /** Parts of a path. */
  depth: number
  /** Pages that links alone lead to whose paths differ in numbers only: calendars, page after page of a list. */
  ofOneShape: number
  /** Bytes of an HTML page or a sitemap, decoded. */
  pageBytes: number
  /** Bytes of the content of a page. */
  contentBytes: number
  /** Bytes of an image or other file. */
  mediaBytes: number
  /** Bytes of all answers, decoded. */
  totalBytes: number
  /** Sitemaps that a sitemap may list, and addresses in all of them. */
  sitemaps: number
  sitemapAddresses: number
  /** Redirects after one another. */
  redirects: number
  /** For one answer. Milliseconds. */
  answerMs: number
  /** For the whole site. Milliseconds. */
  totalMs: number
  /** For finding the content of one page. Milliseconds. */
  extractMs: number
  /** Requests at the same time. */
  atOnce: number
  /** Further tries after an answer that says "later", or none. */
  retries: number
  /** Wait before the first further try, doubled for each more; and the longest that a site may ask for. Milliseconds. */
  retryMs: number
  maxWaitMs: number
  /** Longest pause between two requests that a robots.txt may ask for. Milliseconds. */
  crawlDelayMs: number
  /** Answers in a row that do not come until the site counts as gone. */
  goneAfter: number
}

/** What a documentation site needs at most, and what one machine bears. */
export const mirrorLimits: MirrorLimits = {
  pages: limits.pages,
  addresses: 100_000,
  depth: 16,
  ofOneShape: 500,
  pageBytes: 8 * 1024 * 1024,
  contentBytes: limits.pageBytes,
  mediaBytes: sourceLimits.fileBytes,
  totalBytes: 4 * 1024 * 1024 * 1024,
  sitemaps: 200,
  sitemapAddresses: 100_000,
  redirects: 5,
  answerMs: 30_000,
  totalMs: 60 * 60_000,
  extractMs: 20_000,
  atOnce: 4,
  retries: 2,
  retryMs: 1_000,
  maxWaitMs: 20_000,
  crawlDelayMs: 2_000,
  goneAfter: 10,
}
