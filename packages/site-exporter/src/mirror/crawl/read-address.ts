import type { ExtractedPage } from '#mirror/extract/extract-page.ts'
import type { Extractor } from '#mirror/extract/extractor.ts'
import type { Robots } from '#mirror/finding/robots.ts'
import { isAnswer, decodeText, type Answer } from '#mirror/http/answer.ts'
import type { SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorBudget } from '#mirror/mirror-budget.ts'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'

/** What an address answers; `page` null when that is no HTML. Otherwise why there is nothing; `gone` when the site did not answer at all. */
export type Reading =
  | { problem: string; gone?: boolean }
  | { answer: Omit<Answer, 'body'>; bytes: number; page: ExtractedPage | null }

type Deps = { client: SiteClient; robots: Robots; limits: MirrorLimits; extractor: Extractor; budget: MirrorBudget }

/** Reads a page at the first of its addresses that the site has. */
export const addressReader =
  ({ client, robots, limits, extractor, budget }: Deps) =>
  async (urls: readonly string[]): Promise<Reading> => {
    let reading: Reading = { problem: 'it was not read' }
    for (const url of urls) {
      if (!robots.allows(url)) return { problem: 'robots.txt does not allow it' }
      if (budget.isSpent()) return reading
      const answer = await client.get(url, limits.pageBytes)
      if (!isAnswer(answer)) return answer
      const { body, ...rest } = answer
      const isPage = answer.status === 200 && /^(text\/html|application\/xhtml\+xml)$/.test(answer.type)
      const extraction = isPage ? await extractor.extract(decodeText(answer), answer.url) : null
      if (extraction && 'problem' in extraction) return extraction
      reading = { answer: rest, bytes: body.length, page: extraction?.page ?? null }
      if (answer.status !== 404) break
    }
    return reading
  }
