import { toLine } from '@docket/sources/text'
import { LRUCache } from 'lru-cache'
import { readPageBrand, type PageBrand } from './brand.ts'
import { asList, isData, type Data, asData, asText } from './data.ts'
import { copyText } from './decode-text.ts'
import { findScript } from './language.ts'
import { buildHomeBody, readHomeTitle, isHome } from './home-page.ts'
import { parseJson, parseToml, parseYaml, type Parsed } from './parse-data.ts'

export type FrontMatter = {
  title: string | null
  sidebarTitle: string | null
  description: string | null
  icon: string | null
  /** Position among siblings if there is no docs.json. */
  order: number | null
  /** Operation that the page documents, such as `GET /v1/things`. */
  operation: string | null
  /** The same, but only if the field is named `openapi`. */
  openapi: string | null
  asyncapi: string | null
  /** Layout that omits the sidebar, the table of contents, or both. */
  mode: PageMode | null
  schema: string | null
  /** Reason why the page is hidden; null for a visible page. */
  hidden: HiddenReason | null
  brand: PageBrand
  /** Language as the page has it, unchecked. */
  language: { lang: unknown; dir: unknown }
  script: string | null
  /** Title from the hero, for a home page without a title in its front matter. */
  homeTitle: string | null
  body: string
  problem: string | null
}

const modes = ['custom', 'wide', 'center', 'frame', 'home'] as const
type PageMode = (typeof modes)[number]

/** Maximum length of front matter, because YAML keys are compared in quadratic time. Characters. */
const maxLength = 64 * 1024
/** Maximum length of a title, because every page of the site repeats it. Characters. */
const lengths = { title: 300, description: 2_000 }

const kinds: readonly { block: RegExp; parse: (text: string, line: number) => Parsed }[] = [
  {
    block: /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/,
    parse: (text, line) => parseYaml(text, [], line),
  },
  { block: /^\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/, parse: parseToml },
  {
    block: /^(\{[ \t]*\r?\n\s*"[\s\S]*?\n\}|\{[ \t]*"[^\n]{0,2000}\})[ \t]*(?:\r?\n|$)/,
    parse: parseJson,
  },
]

/** Pages are read for the navigation, and again for their text. */
const recent = new LRUCache<string, Parsed>({
  maxSize: 4_000_000,
  sizeCalculation: (_, block) => block.length,
})

/** Splits front matter (YAML, TOML or JSON) from the body. A block that is no map, as between two rules, is text of the page. */
export const splitFrontMatter = (source: string): { data: Data; body: string; problem: string | null } => {
  const text = source.replace(/^\uFEFF+/, '').replace(/\r(?!\n)/g, '\n')
  for (const { block, parse } of kinds) {
    const [whole, inner = ''] = block.exec(text) ?? []
    if (whole === undefined) continue
    const body = text.slice(whole.length)
    if (inner.length > maxLength)
      return { data: {}, body, problem: `its front matter has more than ${maxLength / 1024} kB` }
    const { value, problem } = recent.get(whole) ?? parse(copyText(inner), 1)
    recent.set(copyText(whole), { value, problem })
    const hasKey = isData(value) && (/^\S/.test(inner) || Object.keys(value).some((key) => /^[a-z_]\w*$/.test(key)))
    // Only comments and no blank line first: front matter without keys.
    const isEmpty = value === null && problem === null && !/^\s*\n\s*\S/.test(inner)
    const isText = !hasKey && !isEmpty
    // Two rules may be around text.
    if (isText && (problem === null || !/^\s*[\w-]+\s*[:=]/.test(inner))) continue
    if (isText)
      return { data: {}, body: text, problem: `its front matter cannot be read, and is text of the page: ${problem}` }
    return {
      data: asData(value),
      body,
      problem: problem === null ? null : `a part of its front matter that cannot be read: ${problem}`,
    }
  }
  return { data: {}, body: text, problem: null }
}

export const readFrontMatter = (source: string): FrontMatter => {
  const { data, body, problem } = splitFrontMatter(source)
  const text = (name: string, length = lengths.title) => {
    const value = data[name]
    return typeof value === 'string' || typeof value === 'number' ? toLine(value, length) : null
  }
  const brand = readPageBrand(data)
  const isTitleLost = data['title'] !== undefined && data['title'] !== null && text('title') === null
  const numbers = [data['order'], data['sidebar_position'], data['weight'], data['nav_order']]
  return {
    title: text('title'),
    sidebarTitle: text('sidebarTitle') ?? text('sidebar_label'),
    description: text('description', lengths.description),
    icon: text('icon', 100),
    order: numbers.find((value) => typeof value === 'number') ?? null,
    operation: text('openapi') ?? text('api'),
    openapi: text('openapi'),
    asyncapi: text('asyncapi'),
    mode: readMode(data),
    schema: text('openapi-schema'),
    hidden: readHidden(data),
    brand,
    language: { lang: data['lang'] ?? data['language'], dir: data['dir'] },
    script: findScript(body),
    homeTitle: toLine(readHomeTitle(data), lengths.title),
    body: buildBody(data, brand, body),
    problem: problem ?? (isTitleLost ? 'its title, which is no text' : null),
  }
}

/** Text of a page without its front matter. */
export const readPageBody = (source: string): string => {
  const { data, body } = splitFrontMatter(source)
  return buildBody(data, readPageBrand(data), body)
}

/** A page that only names another address is a link to it. */
const buildBody = (data: Data, { url }: PageBrand, body: string) =>
  url !== null && body.trim() === ''
    ? `[${new URL(url).host}](${url})\n`
    : buildCover(data) + buildHomeBody(data) + body

/** Picture above a page of GitBook. Other tools use the name for pictures that only their lists show. */
const buildCover = (data: Data): string => {
  const cover = asText(data['cover'])
  const isShown = asData(asData(data['layout'])['cover'])['visible'] !== false
  const isGitbook = data['coverY'] !== undefined || cover?.includes('.gitbook/')
  return cover !== null && isShown && isGitbook ? `![](<${cover.replace(/[<>\n]/g, encodeURIComponent)}>)\n\n` : ''
}

/** Layout from the mode of docs.json or the equivalent settings of other tools. */
const readMode = (data: Data): PageMode | null => {
  const named = modes.find((mode) => mode === data['mode'])
  if (named !== undefined || isHome(data)) return named ?? 'home'
  const hidden = asList(data['hide'])
  const hasContents =
    data['aside'] !== false &&
    data['tableOfContents'] !== false &&
    data['hide_table_of_contents'] !== true &&
    !hidden.includes('toc')
  if (data['sidebar'] === false || (!hasContents && hidden.includes('navigation'))) return 'center'
  return hasContents ? null : 'wide'
}

/** Hidden pages are exported only on request. */
export type HiddenReason = 'draft' | 'hidden' | 'noindex' | 'outside the navigation' | 'for agents'

export const hiddenSentences: Readonly<Record<HiddenReason, string>> = {
  draft: 'it is a draft',
  hidden: 'it is marked as hidden, or is in a hidden part of the navigation',
  noindex: 'it asks not to be indexed',
  'outside the navigation': 'the navigation does not list it',
  'for agents': 'it is for coding agents, not for readers',
}

const readHidden = (data: Readonly<Record<string, unknown>>): HiddenReason | null => {
  if (isOn(data['draft']) || data['published'] === false) return 'draft'
  if (isOn(data['hidden']) || isOn(data['unlisted'])) return 'hidden'
  return asksForNoIndex(data) ? 'noindex' : null
}

/** Reads `noindex` and `robots`, even in `seo`, in `metatags` or as a tag in `head`. */
const asksForNoIndex = (data: Readonly<Record<string, unknown>>): boolean => {
  const seo = asData(data['seo'])
  const places = [data, seo, asData(data['metatags']), asData(seo['metatags'])]
  return (
    places.some((place) => isOn(place['noindex']) || isOn(place['noIndex']) || refusesIndexing(place['robots'])) ||
    asList(data['head']).some((tag) => {
      const attributes = asData(Array.isArray(tag) ? tag[1] : isData(tag) ? tag['attrs'] : null)
      return attributes['name'] === 'robots' && refusesIndexing(attributes['content'])
    })
  )
}

const isOn = (value: unknown) => value === true || value === 'true'
const refusesIndexing = (value: unknown) => /\b(?:noindex|none)\b/i.test(asText(value)?.slice(0, 200) ?? '')
