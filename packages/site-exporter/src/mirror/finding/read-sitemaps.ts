import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { isAnswer, decodeText, type Answer, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'

type Report = (address: string, reason: string) => void

/** Reads sitemaps and the sitemaps they list, each once. Returns page addresses as written. */
export const readSitemaps = async (
  client: SiteClient,
  first: readonly { url: string; isGuess: boolean }[],
  origin: string,
  limits: MirrorLimits,
  report: Report,
): Promise<string[]> => {
  const waiting = [...first]
  const visited = new Set<string>()
  const pages = new Set<string>()
  for (let sitemap = waiting.shift(); sitemap; sitemap = waiting.shift()) {
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
    for (const page of found) pages.add(page)
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

/** Addresses in a sitemap or sitemap index. `problem` is the reason if only a part was read. */
type Sitemap = { pages: string[]; sitemaps: string[]; problem: string | null }

/** Parses XML without a doctype, or one address per line. Keeps entries before an error or before `max`. */
const parseSitemap = (text: string, max: number): Sitemap => {
  const found: Sitemap = { pages: [], sitemaps: [], problem: null }
  if (!/^\s*(\uFEFF\s*)?</.test(text)) {
    found.pages = text
      .split(/\r?\n/, max)
      .map((line) => line.trim())
      .filter((line) => /^https?:\/\//i.test(line))
    return found
  }
  const stop = (problem: string): never => {
    throw new Error(problem)
  }
  const parser = new SaxesParser()
  const path: string[] = []
  let address: string | null = null
  parser.on('doctype', () => stop('it has a document type'))
  parser.on('error', () => stop('it is not well-formed'))
  parser.on('opentag', ({ name }) => {
    path.push(name.replace(/^.*:/, ''))
    if (path.length > 16) stop('it is nested too deep')
    address = path.at(-1) === 'loc' ? '' : address
  })
  parser.on('text', (piece) => {
    if (address !== null && address.length < 4_096) address += piece
  })
  parser.on('closetag', () => {
    const [around, name] = path.slice(-2)
    path.pop()
    if (name !== 'loc' || address === null) return
    if (around === 'url') found.pages.push(address.trim())
    if (around === 'sitemap') found.sitemaps.push(address.trim())
    address = null
    if (found.pages.length + found.sitemaps.length >= max) stop(`it lists more than ${max} addresses`)
  })
  try {
    parser.write(text).close()
  } catch (error) {
    found.problem = error instanceof Error ? error.message : 'it cannot be read'
  }
  return found
}
