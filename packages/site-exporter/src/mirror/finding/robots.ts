import robotsModule from 'robots-parser'
import { isAnswer, decodeText, userAgent, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'

export type Robots = {
  allows(url: string): boolean
  sitemaps: string[]
  /** Pause between requests, at most our limit. Milliseconds. */
  delayMs: number
}

// The types describe a different module format than the one imported.
const robotsParser = robotsModule as unknown as typeof robotsModule.default

const maxBytes = 512 * 1024

/** Reads `/robots.txt` (RFC 9309). Without one, everything is allowed. Rejects when the site does not answer. */
export const readRobots = async (client: SiteClient, origin: string, limits: MirrorLimits): Promise<Robots> => {
  const url = `${origin}/robots.txt`
  const answer = await client.get(url, maxBytes)
  if (!isAnswer(answer)) {
    // Foreign redirects and oversized files count as a missing robots.txt. The request for the first page reports a
    // site that is down.
    if (!answer.gone && !answer.problem.startsWith('it answers')) return everything
    throw new Error(`The site at ${origin} cannot be read: its robots.txt cannot be had, because ${answer.problem}`)
  }
  if (answer.status >= 500)
    throw new Error(`The site at ${origin} cannot be read: its robots.txt answers ${answer.status}`)
  if (answer.status !== 200 || /html/.test(answer.type)) return everything
  const rules = robotsParser(url, decodeText(answer))
  const seconds = rules.getCrawlDelay(userAgent) ?? 0
  return {
    allows: (address) => rules.isAllowed(address, userAgent) !== false,
    sitemaps: rules.getSitemaps().flatMap((text) => (URL.canParse(text, origin) ? [new URL(text, origin).href] : [])),
    delayMs: Math.max(0, Math.min(seconds * 1_000, limits.crawlDelayMs)) || 0,
  }
}

const everything: Robots = { allows: () => true, sitemaps: [], delayMs: 0 }
