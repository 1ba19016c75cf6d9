import type { Extractor } from '#mirror/extract/extractor.ts'
import { readRobots, type Robots } from '#mirror/finding/robots.ts'
import { createScope, type Scope } from '#mirror/finding/scope.ts'
import { isAnswer, decodeText } from '#mirror/http/answer.ts'
import { userAgent, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorLimits } from './mirror-limits.ts'

/** Result of a successful probe. */
export type ProbedSite = { start: string; scope: Scope; robots: Robots }

/** Reads robots.txt and the first page. Rejects with a reason a person can act on. */
export const probeSite = async (
  url: string,
  { client, extractor, limits }: { client: SiteClient; extractor: Extractor; limits: MirrorLimits },
): Promise<ProbedSite> => {
  const { origin } = new URL(url)
  const cannot = (why: string) => new Error(`The site at ${url} cannot be read: ${why}`)
  const robots = await readRobots(client, origin, limits)
  client.slowDown(robots.delayMs)
  if (!robots.allows(url)) throw cannot(`its robots.txt does not let “${userAgent}” read it`)
  const answer = await client.get(url, limits.pageBytes)
  if (!isAnswer(answer)) {
    if (answer.elsewhere) throw cannot(`it redirects to ${answer.elsewhere}; use that address if it is the right one`)
    throw cannot(answer.problem)
  }
  if (answer.status !== 200) throw cannot(`it answers ${answer.status}`)
  if (!/html/.test(answer.type)) throw cannot(`it is no HTML page but ${answer.type || 'of no known kind'}`)
  const extraction = await extractor.extract(decodeText(answer), answer.url)
  if ('problem' in extraction) throw cannot(extraction.problem)
  const requested = createScope(url)
  // The first page may redirect to another folder.
  const isBelow = requested.locate(answer.url)?.kind === 'page'
  const scope = isBelow ? requested : createScope(answer.url)
  const { canonical, refresh } = extraction.page
  if (refresh && new URL(refresh).origin !== origin)
    throw cannot(`it sends its readers on to ${refresh}; use that address if it is the right one`)
  if (canonical && isSamePage(canonical, answer.url)) scope.alsoKnownAs(new URL(canonical).origin)
  return { start: isBelow ? url : answer.url, scope, robots }
}

/** Whether two addresses differ only in host and page suffix. */
const isSamePage = (canonical: string, url: string) => {
  const [a, b] = [new URL(canonical), new URL(url)]
  return plain(a) === plain(b)
}
const plain = ({ pathname }: URL) => pathname.replace(/(index)?(\.html?)?\/?$/, '')
