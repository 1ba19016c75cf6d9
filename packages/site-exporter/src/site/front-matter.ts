import { toLine } from '@docket/sources/text'
import { parse } from 'yaml'
import { homeBody } from './home-page.ts'

/** What a page says about itself, and the rest of it. */
export type FrontMatter = {
  title: string | null
  /** Shorter title for the navigation. */
  sidebarTitle: string | null
  description: string | null
  /** Place among its siblings where no docs.json orders them. */
  order: number | null
  /** An operation such as `GET /v1/things` that the page documents. */
  operation: string | null
  /** The same, when an OpenAPI document describes it. */
  openapi: string | null
  body: string
  /** Why the front matter could not be read, if so. */
  problem: string | null
}

/** Longest front matter. Characters; its keys are compared with each other. */
const maxLength = 64 * 1024
/** Longest texts. Titles are on every page of the site, so a long one would multiply. Characters. */
const lengths = { title: 300, description: 2_000 }

const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/

/** Reads YAML front matter as plain data: no custom tags, a bounded number of aliases. */
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
    body: homeBody(data) + body,
    problem,
  }
}
