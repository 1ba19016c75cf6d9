import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { listElements, readText } from '@docket/site-bundle/pages/html'
import { parseXml } from '@docket/site-bundle/pages/parse-page'
import { isAnswer, decodeText, type Answer, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorBudget, MirrorLimits } from '#mirror/mirror-limits.ts'

/** Reads sitemaps and the sitemaps they list, each once. Returns the addresses of pages. */
export const readSitemaps = async (
  client: SiteClient,
  first: readonly { url: string; isGuess: boolean }[],
  origin: string,
  limits: MirrorLimits,
  { report, isSpent }: MirrorBudget,
): Promise<string[]> => {
  const waiting = [...first]
  const visited = new Set<string>()
  const pages = new Set<string>()
  for (let sitemap = waiting.shift(); sitemap && !isSpent(); sitemap = waiting.shift()) {
    const { url, isGuess } = sitemap
    if (visited.has(url)) continue
    visited.add(url)
    if (visited.size > limits.sitemaps) {
      report(url, `sitemap: more than ${limits.sitemaps} are not read`)
      break
    }
    const text = await readSitemapText(client, url, limits)
    if (typeof text !== 'string') {
      if (!isGuess) report(url, `sitemap: ${text.problem}`)
      continue
    }
    const { pages: found, sitemaps, problem } = parseSitemap(text, limits.sitemapAddresses - pages.size)
    if (problem) report(url, `sitemap: ${problem}; what comes before that was read`)
    for (const text of found) {
      const page = URL.parse(text, text.startsWith('/') ? url : undefined)
      if (page) pages.add(page.href)
      else report(text.slice(0, 200), 'sitemap: it is no address')
    }
    for (const text of sitemaps) {
      const further = moveToOrigin(text, url, origin)
      if (further) waiting.push({ url: further, isGuess: false })
      else report(text.slice(0, 200), 'sitemap: it is no address of this site')
    }
    if (pages.size >= limits.sitemapAddresses) break
  }
  return [...pages]
}

const readSitemapText = async (
  client: SiteClient,
  url: string,
  limits: MirrorLimits,
): Promise<string | { problem: string }> => {
  const answer = await client.get(url, limits.pageBytes)
  if (!isAnswer(answer)) return answer
  if (answer.status !== 200) return { problem: `it answers ${answer.status}` }
  if (answer.type === 'text/html') return { problem: 'it is an HTML page' }
  try {
    return decodeText({ ...answer, body: await unzipBody(answer, limits.pageBytes) })
  } catch {
    return { problem: 'it cannot be unpacked, or is too large' }
  }
}

/** Unpacks gzip, whatever the media type is. */
const unzipBody = async ({ body }: Answer, maxOutputLength: number) =>
  body[0] === 0x1f && body[1] === 0x8b ? promisify(gunzip)(body, { maxOutputLength }) : body

/** Maps the addresses of nested sitemaps from the public host name to our origin. */
const moveToOrigin = (text: string, base: string, origin: string) => {
  if (!URL.canParse(text, base)) return null
  const { pathname, search } = new URL(text, base)
  const own = new URL(pathname + search, origin)
  return own.origin === origin ? own.href : null
}

/** Addresses in a sitemap or sitemap index, or one address per line. `problem` is the reason if only a part was read. */
const parseSitemap = (text: string, max: number) => {
  const isXml = /^\s*(\uFEFF\s*)?</.test(text)
  const located = isXml
    ? listElements(parseXml(text)).flatMap((element) => {
        const around = element.tagName === 'loc' ? element.parentNode : null
        return around !== null && 'tagName' in around
          ? [{ name: around.tagName, address: readText(element).trim() }]
          : []
      })
    : text.split(/\r?\n/).map((line) => ({ name: 'url', address: line.trim() }))
  const addresses = located.filter(({ name, address }) =>
    isXml ? name === 'url' || name === 'sitemap' : /^https?:\/\//i.test(address),
  )
  const list = (wanted: string) =>
    addresses.slice(0, max).flatMap(({ name, address }) => (name === wanted ? [address] : []))
  const problem = addresses.length > max ? `it lists more than ${max} addresses` : null
  return { pages: list('url'), sitemaps: list('sitemap'), problem }
}
