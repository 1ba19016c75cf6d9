import { sourceLimits } from '@docket/sources/source-folder'
import { limits } from '#site/limits.ts'

/** Limits for reading one site. The report names everything over a limit; the rest of the site is read. */
export const mirrorLimits = {
  pages: limits.pages,
  addresses: 100_000,
  /** Maximum parts of a path. */
  depth: 16,
  /** Maximum linked pages whose paths differ only in numbers, such as calendars and paginated lists. */
  ofOneShape: 500,
  /** Maximum pages that differ in their query only: of one path, and of the whole site. */
  queriesOfOnePath: 200,
  queries: 2_000,
  /** Share of pages without which a mirror fails. */
  lostShare: 0.2,
  /** Maximum size of an HTML page or a sitemap, decoded. Bytes. */
  pageBytes: 8 * 1024 * 1024,
  mediaBytes: sourceLimits.fileBytes,
  /** Maximum size of all responses together, decoded. Bytes. */
  totalBytes: 4 * 1024 * 1024 * 1024,
  sitemaps: 200,
  sitemapAddresses: 100_000,
  redirects: 5,
  answerMs: 30_000,
  totalMs: 60 * 60_000,
  atOnce: 4,
  retries: 2,
  /** Wait before the first retry; each further retry doubles it. */
  retryMs: 1_000,
  /** Maximum `Retry-After` that is respected. */
  maxWaitMs: 20_000,
  /** Maximum crawl delay of a robots.txt that is respected. */
  crawlDelayMs: 2_000,
  /** Consecutive failed connections after which the site counts as unavailable. */
  goneAfter: 10,
}

export type MirrorLimits = Readonly<Record<keyof typeof mirrorLimits, number>>

/** Maximum reported addresses per reason; the others are only counted. */
const maxPerReason = 200

export const createMirrorBudget = (limits: MirrorLimits, now: () => number = Date.now) => {
  const until = now() + limits.totalMs
  const reasons = new Map<string, Set<string>>()
  let bytes = 0
  let over: string | null = null
  return {
    spend: (more: number) => {
      bytes += more
    },
    isSpent: () => {
      if (bytes > limits.totalBytes) over ??= `the site has more than ${Math.round(limits.totalBytes / 1024 / 1024)} MB`
      else if (now() > until) over ??= `reading the site took more than ${Math.round(limits.totalMs / 60_000)} minutes`
      return over !== null
    },
    report: (address: string, reason: string): void => {
      reasons.set(reason, (reasons.get(reason) ?? new Set()).add(address.slice(0, 300)))
    },
    leftOut: () => [
      ...(over === null ? [] : [{ file: '', reason: `${over}; the rest of it is not here` }]),
      ...[...reasons].flatMap(([reason, all]) => [
        ...[...all].slice(0, maxPerReason).map((file) => ({ file, reason })),
        ...(all.size > maxPerReason ? [{ file: '', reason: `${all.size - maxPerReason} more: ${reason}` }] : []),
      ]),
    ],
  }
}

export type MirrorBudget = ReturnType<typeof createMirrorBudget>
