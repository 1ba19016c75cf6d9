import { defaultTreeAdapter, parse } from 'parse5'
import { findHtmlReferences } from '@docket/site-bundle/check/html-references'
import type { Reference, Use } from '@docket/site-bundle/check/reference'
import { listElements, readAttribute, readText, type Document, type Element } from '@docket/site-bundle/pages/html'
import type { Remark } from '#report-lines.ts'
import type { Place, Resolver } from '#resolve-address.ts'
import { applyEdits, type Edit } from './edits.ts'
import { nothing, rewriteCss, type Replace } from './css.ts'
import { remarkUnbound, rewriteImportMap, rewriteScript } from './script.ts'

/** What a page needs of the site around it. */
export type Rewriting = Pick<Resolver, 'resolve' | 'toHref'> & {
  /** File with a copy of another host's file; null when it must be cut. */
  takeRemote: (url: URL, use: Use) => string | null
  remark: (remark: Remark) => void
  /** Scripts start only at the address that the page was built for, so their addresses are right as they are. */
  isGuarded: boolean
}

const embeds = new Set(['iframe', 'embed', 'object'])
const removed = new Set(['link', 'script', 'meta'])
const maxDepth = 3

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** An address of another host in a script. Those of w3.org are names. */
const otherHost = /["'`](?:(?:https?|wss?):)?\/\/(?!www\.w3\.org\/)/i
/** Attributes of pictures with scripts, addresses, and what animations set addresses to. */
const loading = /^(?:on\w+|href|src|srcset|data|poster|style|values|from|to|by)$/
const otherAddress = /(?:^|[\s;"'`(])(?:(?:https?|wss?):)?\/\/(?!www\.w3\.org\/)/i

/** Creates what decides about each address of a file, for pages, style sheets and scripts alike. */
export const createReplace =
  (from: Place, site: Rewriting): Replace =>
  ({ address, use, base }) => {
    const whole = base === undefined ? from.base : (URL.parse(base, from.base)?.href ?? from.base)
    const found = site.resolve(address, from, use, whole)
    if (found.kind === 'kept') return null
    if (found.kind === 'file') return found.href
    if (found.kind === 'missing') {
      site.remark({ kind: 'missing', address })
      return found.href
    }
    if (use === 'link' || use === 'name' || use === 'form') {
      if (found.kind === 'unwanted') return found.url?.href ?? '#'
      if (use === 'form') site.remark({ kind: 'cut', use, host: found.url.host, why: '' })
      // Addresses without a scheme count from a file's own.
      return found.url.href === address.trim() || /^[a-z][\w+.-]*:/i.test(address.trim()) ? null : found.url.href
    }
    if (found.kind === 'unwanted') return nothing
    const copy = site.takeRemote(found.url, use)
    return copy === null ? nothing : site.toHref(from, copy)
  }

// Real pages stay far below. The parser's time grows with the square of the depth, and unclosed elements multiply.
const maxOpen = 1_000
const maxElements = 1_000_000

/** Without scripting, so that the content of `<noscript>` is read. Throws a RangeError with a reason for a page that is too large for a parser. */
export const parseHtml = (text: string, { withPlaces = true } = {}): Document => {
  let [open, elements] = [0, 0]
  const onItemPush = () => {
    open += 1
    elements += 1
    if (open > maxOpen) throw new RangeError('its elements are nested too deep')
    if (elements > maxElements) throw new RangeError(`its HTML makes more than ${maxElements} elements`)
  }
  const treeAdapter = { ...defaultTreeAdapter, onItemPush, onItemPop: () => void (open -= 1) }
  return parse(text, { treeAdapter, sourceCodeLocationInfo: withPlaces, scriptingEnabled: false })
}

/** A page with its markup untouched, except for addresses and what asks other hosts. */
export const rewriteHtml = (
  text: string,
  from: Place,
  site: Rewriting,
  { head = '', document = parseHtml(text), depth = 0 }: { head?: string; document?: Document; depth?: number } = {},
): string => {
  // Scripts copy the content of templates into the page.
  const elements = listElements(document, { everyTemplate: true })
  // Pages and what they embed as text have a policy.
  const isPicture = head === '' && depth === 0
  const edits = new Map<number, Edit>()
  const edit = (offset: number, end: number, replacement: string) => {
    const known = edits.get(offset)
    if (known === undefined || known.end < end) edits.set(offset, { offset, end, text: replacement })
  }
  const insert = (offset: number, addition: string) => {
    const known = edits.get(offset)
    edits.set(offset, { offset, end: known?.end ?? offset, text: addition + (known?.text ?? '') })
  }
  const replace = createReplace(from, site)
  const findAttribute = (element: Element, name: string) => {
    const places = element.sourceCodeLocation?.attrs
    return places?.[name] ?? places?.[`xlink:${name}`] ?? null
  }
  const setAttribute = (element: Element, name: string, value: string | null) => {
    const place = findAttribute(element, name)
    if (place === null) return
    const written = text.slice(place.startOffset, place.endOffset).split('=', 1)[0]!
    const start = /\s/.test(text[place.startOffset - 1] ?? '') ? place.startOffset - 1 : place.startOffset
    if (value === null) edit(start, place.endOffset, '')
    else edit(place.startOffset, place.endOffset, `${written}="${escapeHtml(value)}"`)
  }
  const replaceElement = (element: Element, html: string) => {
    const place = element.sourceCodeLocation
    if (place) edit(place.startOffset, place.endOffset, html)
  }
  const rewriteText = (element: Element, rewrite: (inside: string) => string) => {
    const place = element.childNodes[0]?.sourceCodeLocation
    if (!place) return
    const inside = text.slice(place.startOffset, place.endOffset)
    const result = rewrite(inside)
    if (result !== inside) edit(place.startOffset, place.endOffset, result)
  }
  const cut = (element: Element, name: string, address: string) => {
    const { tagName } = element
    if (embeds.has(tagName) && name !== 'style') {
      const title = readAttribute(element, 'title')?.trim() || URL.parse(address, from.base)?.host || address
      replaceElement(element, formatLink(address, title))
    } else if (removed.has(tagName)) {
      replaceElement(element, '')
      const isRedirect = readAttribute(element, 'http-equiv')?.toLowerCase() === 'refresh'
      const body = elements.find((one) => one.tagName === 'body')?.sourceCodeLocation?.startTag
      if (isRedirect) insert(body?.endOffset ?? text.length, formatLink(address, address))
    } else setAttribute(element, name, null)
  }

  /** Keeps a script from running until `portable.js` starts it. */
  const holdBack = (element: Element) => {
    const place = findAttribute(element, 'type')
    const tag = element.sourceCodeLocation?.startTag
    if (place !== null)
      edit(
        place.startOffset,
        place.endOffset,
        `type="text/docket" data-docket-${text.slice(place.startOffset, place.endOffset)}`,
      )
    else if (tag) insert(tag.startOffset + '<script'.length, ' type="text/docket"')
  }

  /** New values of attributes with more than one address. */
  const parts = new Map<Element, Map<string, Reference[]>>()
  for (const reference of findHtmlReferences(elements, () => false)) {
    const { element, attribute } = reference
    // Those of an embedded document are replaced with it.
    if (!element?.sourceCodeLocation || attribute === undefined) continue
    const named = parts.get(element) ?? new Map<string, Reference[]>()
    const known = named.get(attribute)
    if (known === undefined) named.set(attribute, [reference])
    else known.push(reference)
    parts.set(element, named)
  }
  for (const [element, named] of parts)
    for (const [name, references] of named) {
      const value = readAttribute(element, name) ?? ''
      const [first] = references
      if (first === undefined || (element.tagName === 'link' && isCanonical(element))) continue
      if (name === 'style' || (isSvg(element) && !/^(?:href|src)$/.test(name))) {
        const result = rewriteCss(value, true, (reference) =>
          replace({ ...reference, ...(first.base !== undefined && { base: first.base }) }),
        )
        if (result !== value) setAttribute(element, name, result)
        continue
      }
      const made = references.map((reference) => ({ reference, address: replace(reference) }))
      if (made.some(({ address }) => address === nothing)) cut(element, name, first.address)
      else if (made.some(({ address }) => address !== null)) {
        const pieces = made.flatMap(({ reference, address }): Edit[] => {
          if (address === null) return []
          const offset = reference.offset ?? Math.max(0, value.lastIndexOf(reference.address))
          return [{ offset, end: reference.end ?? offset + reference.address.length, text: address }]
        })
        setAttribute(element, name, applyEdits(value, pieces))
      }
      // Files on a disk are no answers that allow anything, and copies may differ from their digest.
      if (first.use !== 'link') for (const one of ['integrity', 'crossorigin']) setAttribute(element, one, null)
    }

  /** Nothing is at the address of a folder. */
  const replaceFolder: Replace = (reference) => {
    const { address, base: written = '' } = reference
    const found = site.resolve(`${address}_`, from, 'script', URL.parse(written, from.base)?.href)
    if (found.kind === 'missing') return found.href?.slice(0, -1) ?? null
    return found.kind === 'outside' ? replace(reference) : null
  }
  const base = elements.find(({ tagName, attrs }) => tagName === 'base' && attrs.some(({ name }) => name === 'href'))
  const own = base === undefined ? {} : { base: readAttribute(base, 'href')! }
  for (const element of elements) {
    const { tagName } = element
    if (tagName === 'base') setAttribute(element, 'href', null)
    else if (tagName === 'style')
      rewriteText(element, (css) => rewriteCss(css, false, (one) => replace({ ...one, ...own })))
    else if (tagName === 'script') {
      const type = (readAttribute(element, 'type') ?? '').toLowerCase()
      const isInline = readAttribute(element, 'src') === null
      const loads = !isInline || type === 'module' || /\bimport\s*\(/.test(readText(element))
      if (type === 'module' && loads && !site.isGuarded)
        site.remark({ kind: 'setting', name: 'module scripts, which browsers don’t run in a page from a disk' })
      if (isInline) remarkUnbound(readText(element), site)
      // No policy applies to what these load.
      if (type === 'speculationrules' || (isPicture && otherHost.test(readText(element)))) {
        replaceElement(element, '')
        const name = isPicture ? 'scripts of a picture' : 'rules for loading pages in advance'
        site.remark({ kind: 'setting', name })
      } else if (type === 'importmap')
        rewriteText(element, (map) =>
          rewriteImportMap(map, (one) => (one.address.endsWith('/') ? replaceFolder : replace)({ ...one, ...own })),
        )
      else if (site.isGuarded && loads && /^$|module|javascript/.test(type)) holdBack(element)
      else if (isInline && /^$|module|javascript/.test(type))
        rewriteText(element, (script) =>
          rewriteScript(script, { inModule: type === 'module', inPage: true }, (one) => replace({ ...one, ...own })),
        )
    } else if (
      tagName === 'meta' &&
      readAttribute(element, 'http-equiv')?.toLowerCase() === 'content-security-policy'
    ) {
      replaceElement(element, '')
      site.remark({ kind: 'setting', name: 'security policies, because the bundle has its own' })
    }
    for (const { name, value } of isPicture ? element.attrs : [])
      if (loading.test(name) && otherAddress.test(value) && !(tagName === 'a' && name === 'href'))
        setAttribute(element, name, null)
    if (tagName === 'iframe' && depth < maxDepth) {
      const inside = readAttribute(element, 'srcdoc')
      if (inside !== null) setAttribute(element, 'srcdoc', rewriteHtml(inside, from, site, { depth: depth + 1 }))
    }
    // Pickers that a script follows, and pictures that one loads.
    for (const name of ['value', 'data-src']) {
      const address = name === 'value' && tagName !== 'option' ? null : readAttribute(element, name)
      if (address === null || !/^(?:\.{0,2}\/|https?:)/i.test(address)) continue
      const found = site.resolve(address, from, 'link')
      if (found.kind === 'file') setAttribute(element, name, found.href)
    }
  }
  if (head !== '') insert(findHeadStart(elements, document), head)
  return applyEdits(text, [...edits.values()])
}

const formatLink = (address: string, title: string) => {
  const href = URL.parse(address, 'https://outside.invalid')?.href ?? address
  return `<a href="${escapeHtml(href)}" rel="noopener">${escapeHtml(title)}</a>`
}

const isSvg = ({ namespaceURI }: Element) => namespaceURI.endsWith('svg')

const isCanonical = (element: Element) =>
  /\bcanonical\b/i.test(readAttribute(element, 'rel') ?? '') && /^https?:/i.test(readAttribute(element, 'href') ?? '')

const findHeadStart = (elements: readonly Element[], document: Document): number => {
  for (const name of ['head', 'html']) {
    const tag = elements.find(({ tagName }) => tagName === name)?.sourceCodeLocation?.startTag
    if (tag) return tag.endOffset
  }
  return document.childNodes.find(({ nodeName }) => nodeName === '#documentType')?.sourceCodeLocation?.endOffset ?? 0
}

/** Values are as in a browser, which reads the first declaration of a name. */
const entity = /<!ENTITY\s+([\w:.-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g
const maxExpansion = 16

/** Writes out the entities that a picture declares, because their values may be addresses. Throws a RangeError for those that nest without end. */
export const expandEntities = (text: string): string => {
  const values = new Map(
    [...text.matchAll(entity)].toReversed().map(([, name, one, other]) => [name, one ?? other ?? '']),
  )
  if (values.size === 0) return text
  let expanded = text.replaceAll(entity, '')
  for (let [rounds, before] = [0, '']; before !== expanded; rounds += 1) {
    before = expanded
    let length = 0
    expanded = before.replaceAll(/&([\w:.-]+);/g, (whole, name: string) => {
      const value = values.get(name) ?? whole
      length += value.length
      if (rounds > maxExpansion || length > text.length * maxExpansion)
        throw new RangeError('its entities nest too deep, or make it too large')
      return value
    })
  }
  return expanded
}

/** Puts `head` before everything that a page loads, without parsing it. Browsers open the head for it. */
export const insertHead = (text: string, head: string): string =>
  text.replace(/^(?:\s*<!doctype[^<>]*>)?/i, (start) => start + head)

const prolog = /(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)/iy
const rootTag = /<[\w:.-]+(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?>/y

/** Gives a page in XHTML a head before its own. */
export const insertXmlHead = (text: string, head: string): string => {
  let at = 0
  for (prolog.lastIndex = 0; prolog.test(text);) at = prolog.lastIndex
  rootTag.lastIndex = at
  return text.replace(rootTag, (tag) => `${tag}<head xmlns="http://www.w3.org/1999/xhtml">${head}</head>`)
}
