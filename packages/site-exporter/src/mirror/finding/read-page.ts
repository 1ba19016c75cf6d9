import { createHash } from 'node:crypto'
import { findHtmlReferences } from '@docket/site-bundle/check/html-references'
import type { Use } from '@docket/site-bundle/check/reference'
import {
  isElement,
  isText,
  listElements,
  readAttribute,
  readRefresh,
  readText,
  walkTree,
  type Document,
  type Element,
} from '@docket/site-bundle/pages/html'
import { parseHtml } from '@docket/portable-site/rewrite/html'
import { decodeAddress } from '#site/data.ts'

/** An absolute address without fragment. `isOptional`: nothing is lost when the site has no such page or file. */
export type Found = { use: Use; url: string; isOptional: boolean }

export type PageReading = {
  found: Found[]
  /** Sitemaps that the page names. */
  sitemaps: string[]
  /** Origins under which the page names itself. */
  origins: string[]
  /** Target of a refresh within five seconds. */
  refresh: string | null
  /** Digest of title and main text without the page's own address, which error pages repeat. */
  digest: string
  /** Digest of title and main text as they are. */
  textDigest: string
  /** Digest of the main text alone. */
  mainDigest: string
  /** Digest of the whole page. */
  content: string
  isEmpty: boolean
  /** Scripts may draw the page, because it has few words without them. */
  isThin: boolean
  words: number
  asksForPassword: boolean
}

/** Attributes from which scripts load pictures later. */
const lazy: Readonly<Record<string, string>> = {
  'data-src': 'src',
  'data-lazy-src': 'src',
  'data-original': 'src',
  'data-srcset': 'srcset',
  'data-lazy-srcset': 'srcset',
  'data-poster': 'poster',
}

const toLoaded = (element: Element): Element[] => {
  const attrs = element.attrs.flatMap(({ name, value }) => (lazy[name] ? [{ name: lazy[name], value }] : []))
  return attrs.length > 0 ? [{ ...element, attrs }] : []
}

/** Pickers of languages and versions hold addresses in their options. */
const toPickedLink = (element: Element): Element[] => {
  const value = element.tagName === 'option' ? (readAttribute(element, 'value')?.trim() ?? '') : ''
  const isAddress = /^(?:https?:\/\/|\/(?!\/)|\.{1,2}\/)|\.x?html?(?:$|[?#])/i.test(value)
  return isAddress ? [{ ...element, tagName: 'a', attrs: [{ name: 'href', value }] }] : []
}

const isEmbedding = (element: Element) => (readAttribute(element, 'type') ?? '').endsWith('+oembed')

const optional: ReadonlySet<Use> = new Set(['name', 'hint', 'call', 'form', 'manifest'])

/** Reads a page that came from `url`. Throws a RangeError with a reason when it is too large for a parser. */
export const readPage = (text: string, url: string): PageReading => {
  const document = parseHtml(text, { withPlaces: false })
  const elements = listElements(document)
  const bases = elements.filter(({ tagName }) => tagName === 'base')
  const found = new Map<string, Found>()
  const add = (list: readonly Element[], isPicked: boolean) => {
    for (const { use, address, base = '', isOptional = false } of findHtmlReferences(list, () => true)) {
      const resolved = resolveWebAddress(address, URL.parse(base, url)?.href ?? url)
      if (resolved === null || use === 'ping' || (use === 'form' && !/\.x?html?$/i.test(resolved))) continue
      const one = { use, url: resolved, isOptional: isPicked || isOptional || optional.has(use) }
      const key = `${one.isOptional} ${use} ${resolved}`
      if (!found.has(key)) found.set(key, one)
    }
  }
  add(
    elements.filter((element) => !isEmbedding(element)),
    false,
  )
  add([...bases, ...elements.flatMap(toLoaded)], false)
  add([...bases, ...elements.flatMap(toPickedLink)], true)
  return { found: [...found.values()], ...readNames(elements, url), ...readContent(document, elements, text, url) }
}

/** Resolves a web address without its fragment; null for other schemes and for credentials. */
export const resolveWebAddress = (address: string, base: string): string | null => {
  const url = URL.parse(address.trim(), base)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

const readNames = (elements: readonly Element[], url: string) => {
  const names: string[] = []
  const languages: string[] = []
  const sitemaps: string[] = []
  let refresh: string | null = null
  for (const element of elements) {
    const read = (name: string) => readAttribute(element, name) ?? ''
    const relations = element.tagName === 'link' ? read('rel').toLowerCase().split(/\s+/) : []
    const href = relations.length > 0 ? resolveWebAddress(read('href'), url) : null
    if (href !== null && relations.includes('sitemap')) sitemaps.push(href)
    if (href !== null && relations.includes('canonical')) names.push(href)
    if (href !== null && relations.includes('alternate') && read('hreflang') !== '') languages.push(href)
    if (element.tagName !== 'meta') continue
    if (read('property') === 'og:url') names.push(resolveWebAddress(read('content'), url) ?? url)
    const target = read('http-equiv').toLowerCase() === 'refresh' ? readRefresh(read('content')) : null
    if (target !== null && target.afterSeconds <= 5) refresh ??= resolveWebAddress(target.address, url)
  }
  // Languages on several hosts are different sites.
  if (new Set(languages.map((language) => new URL(language).origin)).size === 1) names.push(...languages)
  const own = new URL(url)
  const origins = names.map((name) => new URL(name)).filter((name) => isSamePath(name, own))
  return { sitemaps, refresh, origins: [...new Set(origins.map(({ origin }) => origin))] }
}

/** True when two addresses differ only in host and page suffix. */
const isSamePath = (one: URL, other: URL) => toPlainPath(one) === toPlainPath(other)
const toPlainPath = ({ pathname }: URL) => pathname.replace(/(index)?(\.html?)?\/?$/, '')

/** Any documentation page has more words than this. */
export const thinLimit = 50
/** Counts words, or characters in scripts without spaces. */
const countText = (text: string): number =>
  text.match(/[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff\p{Z}\p{P}\p{C}]+/gu)?.length ?? 0

const isProgram = (element: Element) =>
  element.tagName === 'script' &&
  /^(?:|module|(?:text|application)\/javascript)$/i.test(readAttribute(element, 'type')?.trim() ?? '')

const unread = new Set(['head', 'script', 'style', 'template', 'noscript', 'svg'])
const around = new Set(['nav', 'header', 'footer', 'aside'])
const shown = new Set(['img', 'video', 'audio', 'iframe', 'frame', 'object', 'embed', 'svg'])

const readContent = (document: Document, elements: readonly Element[], markup: string, url: string) => {
  const main = elements.find(
    (element) => element.tagName === 'main' || readAttribute(element, 'role')?.toLowerCase() === 'main',
  )
  const root = main ?? elements.find(({ tagName }) => tagName === 'body') ?? document
  let text = ''
  let hasMedia = false
  walkTree(root, (node) => {
    if (isText(node)) text += ` ${node.value}`
    if (!isElement(node)) return false
    hasMedia ||= shown.has(node.tagName)
    return !unread.has(node.tagName) && (main !== undefined || !around.has(node.tagName))
  })
  const { pathname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part.length > 2) ?? pathname
  const normalize = (one: string) =>
    [pathname, last, decodeAddress(last)]
      .reduce((rest, part) => (part === '/' ? rest : rest.replaceAll(part, '')), one)
      .replaceAll(/\s+/g, ' ')
      .trim()
  const own = normalize(text)
  const heading = elements.find(({ tagName }) => tagName === 'title')
  const title = heading === undefined ? '' : readText(heading)
  const hasProgram = elements.some(isProgram)
  const words = countText(text)
  return {
    digest: computeDigest(`${normalize(title)}\n${own}`),
    textDigest: computeDigest(`${title}\n${text}`),
    mainDigest: computeDigest(own),
    content: computeDigest(markup),
    isEmpty: words === 0 && !hasMedia && hasProgram,
    isThin: words < thinLimit && hasProgram,
    words,
    asksForPassword: elements.some(
      (element) => element.tagName === 'input' && /^password$/i.test(readAttribute(element, 'type') ?? ''),
    ),
  }
}

/** A page about passwords has more words than a form that asks for one. */
const maxSignInText = 150
const signInPath = /(?:^|[/_-])(?:log-?in|sign-?in|sso|saml2?|oauth2?|auth)(?:[/_.-]|$)/i

/** True for a form that asks for a password, and for a short page to sign in that another address redirects to. */
export const isSignIn = (
  { words, asksForPassword }: PageReading,
  { url, redirectedFrom: [from] }: { url: string; redirectedFrom: readonly string[] },
): boolean => {
  const isNamedSo = (address: string) => signInPath.test(new URL(address).pathname)
  return words < maxSignInText && (asksForPassword || (from !== undefined && isNamedSo(url) && !isNamedSo(from)))
}

export const computeDigest = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)
