import { SaxesParser } from 'saxes'

/** Addresses in a sitemap or sitemap index. `problem` tells why it was read in part. */
export type Sitemap = { pages: string[]; sitemaps: string[]; problem: string | null }

/** Parses XML without a doctype, or one address per line. Keeps entries before an error or before `max`. */
export const parseSitemap = (text: string, max: number): Sitemap => {
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
