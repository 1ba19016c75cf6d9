import { toLine } from '@docket/sources/text'
import { parse } from 'yaml'
import { readPageBrand, type PageBrand } from './brand.ts'
import { asData, asList, asText } from './data.ts'

/** Front matter of a page, and its body. */
export type FrontMatter = {
  title: string | null
  sidebarTitle: string | null
  description: string | null
  /** Position among siblings without docs.json. */
  order: number | null
  /** Operation that the page documents, such as `GET /v1/things`. */
  operation: string | null
  /** The same, for an OpenAPI document. */
  openapi: string | null
  brand: PageBrand
  body: string
  /** Reason why the front matter is unreadable, or null. */
  problem: string | null
}

/** YAML compares keys in quadratic time. Characters. */
const maxLength = 64 * 1024
/** Maximum length, because every page of the site repeats titles. Characters. */
const lengths = { title: 300, description: 2_000 }

const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/

/** Parses YAML front matter without custom tags and with bounded aliases. */
export const readFrontMatter = (source: string): FrontMatter => {
  const match = block.exec(source)
  const body = match ? source.slice(match[0].length) : source
  let problem: string | null = null
  let data: Record<string, unknown> = {}
  if (match && match[1]!.length > maxLength) problem = `its front matter has more than ${maxLength / 1024} kB`
  try {
    const parsed: unknown =
      match && problem === null ? parse(match[1]!, { schema: 'core', maxAliasCount: 20, logLevel: 'silent' }) : null
    if (parsed !== null && typeof parsed === 'object') data = parsed as Record<string, unknown>
  } catch {
    problem = 'its front matter is not valid YAML'
  }
  const text = (name: string, length = lengths.title) => {
    const value = data[name]
    return typeof value === 'string' || typeof value === 'number' ? toLine(value, length) : null
  }
  const numbers = [data['order'], data['sidebar_position'], data['weight'], data['nav_order']]
  return {
    title: text('title'),
    sidebarTitle: text('sidebarTitle') ?? text('sidebar_label'),
    description: text('description', lengths.description),
    order: numbers.find((value) => typeof value === 'number') ?? null,
    operation: text('openapi') ?? text('api'),
    openapi: text('openapi'),
    brand: readPageBrand(data),
    body: homeBody(data) + body,
    problem,
  }
}

/** Body of a VitePress `layout: home` page as components; `''` for others. */
const homeBody = (data: Readonly<Record<string, unknown>>): string => {
  if (data['layout'] !== 'home') return ''
  const hero = asData(data['hero'])
  const actions = asList(hero['actions']).flatMap((action) => {
    const { text, link } = asData(action)
    return typeof text === 'string' && typeof link === 'string'
      ? [`<a href="${escaped(link)}">${escaped(text)}</a>`]
      : []
  })
  const features = asList(data['features']).map((feature) => {
    const { title, details, link } = asData(feature)
    const attributes = Object.entries({ title, description: details, href: link }).flatMap(([name, value]) =>
      typeof value === 'string' ? [`${name}="${escaped(value)}"`] : [],
    )
    return `<Card ${attributes.join(' ')}></Card>`
  })
  const name = asText(hero['name'])
  return [
    name && `<h1>${escaped(name)}</h1>`,
    ...[asText(hero['text']), asText(hero['tagline'])].map((text) => text && `<p>${escaped(text)}</p>`),
    actions.length > 0 && `<p>${actions.join(' · ')}</p>`,
    features.length > 0 && `<CardGroup>\n${features.join('\n')}\n</CardGroup>`,
    '',
  ]
    .filter((part) => part !== false)
    .join('\n\n')
}

const escaped = (text: string) =>
  text
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(/\s+/g, ' ')
