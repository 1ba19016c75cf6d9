import { parse } from 'parse5'
import { formatTag, listElements, readAttribute, readText, type Element, readRefresh } from '#pages/html.ts'
import { findCssReferences } from './css-references.ts'
import type { Reference, Use } from './reference.ts'
import { findScriptReferences } from './script-references.ts'

const sources: Readonly<Record<string, Use>> = {
  img: 'image',
  source: 'media',
  video: 'media',
  audio: 'media',
  track: 'media',
  embed: 'object',
  iframe: 'frame',
  frame: 'frame',
}
/** What other attributes ask for, by their element. */
const usesByElement = new Map<string, Use>([
  ['object data', 'object'],
  ['video poster', 'image'],
  ...['body', 'table', 'td', 'th', 'tr', 'tbody', 'thead'].map((tag) => [`${tag} background`, 'image'] as const),
])
const hints = new Set(['preconnect', 'dns-prefetch', 'prefetch', 'prerender'])
const icons = new Set(['icon', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon', 'fluid-icon'])
/** What a page names and no browser loads by itself. */
const announced = new Set(
  'alternate amphtml author canonical contents first glossary help index last license next prev search start top up'.split(
    ' ',
  ),
)
const preloaded: Readonly<Record<string, Use>> = { style: 'style', script: 'script', font: 'font', image: 'image' }
const svgLoads = new Set(['use', 'image', 'feimage'])
const isJavaScript = (type: string) => /^(|module|(text|application)\/(x-)?(java|ecma)script)$/.test(type)

type Reading = {
  add: (reference: Reference) => void
  inHead: boolean
  depth: number
  /** False for an address that a script may name without a further look. */
  isSuspicious: (address: string) => boolean
}

const readLink = (element: Element, { add: addTo, inHead }: Reading) => {
  const add = (reference: Reference) => addTo({ attribute: 'href', ...reference })
  const excerpt = () => formatTag(element)
  const relations = new Set((readAttribute(element, 'rel') ?? '').toLowerCase().split(/\s+/))
  const address = readAttribute(element, 'href')
  const set = readAttribute(element, 'imagesrcset')
  if (relations.has('preload') && set !== null)
    for (const one of readSrcset(set)) add({ use: 'image', ...one, attribute: 'imagesrcset', excerpt })
  if (address === null || address.trim() === '') return
  const as = readAttribute(element, 'as')?.toLowerCase() ?? ''
  if (relations.has('stylesheet')) {
    const media = readAttribute(element, 'media')?.trim().toLowerCase() ?? ''
    const isApplied = media !== 'print' && readAttribute(element, 'disabled') === null && !relations.has('alternate')
    return add({ use: 'style', address, excerpt, blocks: inHead && isApplied })
  }
  if (relations.has('modulepreload')) return add({ use: 'script', address, excerpt })
  if (relations.has('preload')) return add({ use: preloaded[as] ?? 'hint', address, excerpt })
  if ([...relations].some((relation) => icons.has(relation))) return add({ use: 'icon', address, excerpt })
  if (relations.has('manifest')) return add({ use: 'manifest', address, excerpt })
  if ([...relations].some((relation) => hints.has(relation)))
    return add({ use: 'hint', address, excerpt, isOptional: true })
  if ([...relations].some((relation) => announced.has(relation)))
    add({ use: 'name', address, excerpt, isOptional: !relations.has('canonical') })
}

const readScript = (element: Element, { add, inHead, isSuspicious }: Reading) => {
  const excerpt = () => formatTag(element)
  const type = (readAttribute(element, 'type') ?? '').trim().toLowerCase()
  const attribute = element.namespaceURI.endsWith('svg') && readAttribute(element, 'src') === null ? 'href' : 'src'
  const address = readAttribute(element, attribute)
  if (type === 'importmap' || type === 'speculationrules') return readAddressesOfJson(element, type, add)
  if (!isJavaScript(type)) return
  const waits =
    readAttribute(element, 'async') !== null || readAttribute(element, 'defer') !== null || type === 'module'
  if (address !== null && address.trim() !== '')
    return add({ use: 'script', address, attribute, excerpt, blocks: inHead && !waits })
  const inModule = type === 'module'
  for (const one of findScriptReferences(readText(element), { inModule, inPage: true, isSuspicious })) add(one)
}

/** Import maps and speculation rules with literal addresses. Nothing in a map is asked for before an import. */
const readAddressesOfJson = (element: Element, type: string, add: Reading['add']) => {
  const excerpt = () => formatTag(element)
  try {
    const value = JSON.parse(readText(element)) as Record<string, unknown>
    if (type === 'importmap') {
      for (const address of Object.values((value['imports'] ?? {}) as object))
        if (typeof address === 'string' && !address.endsWith('/'))
          add({ use: 'script', address, excerpt, isOptional: true })
      return
    }
    for (const rule of [value['prefetch'], value['prerender']].flat()) {
      const { urls } = (rule ?? {}) as { urls?: unknown }
      for (const address of Array.isArray(urls) ? (urls as unknown[]) : [])
        if (typeof address === 'string') add({ use: 'hint', address, excerpt, isOptional: true })
    }
  } catch {
    // Browsers ignore it, too.
  }
}

const readMeta = (element: Element, { add }: Reading) => {
  const content = readAttribute(element, 'content')
  if (content === null) return
  const excerpt = () => formatTag(element)
  if (readAttribute(element, 'http-equiv')?.toLowerCase() === 'refresh') {
    const refresh = readRefresh(content)
    if (refresh !== null) add({ use: 'redirect', address: refresh.address, attribute: 'content', excerpt })
  }
}

const readElement = (element: Element, reading: Reading) => {
  const { tagName } = element
  const isSvg = element.namespaceURI.endsWith('svg')
  const isLink = tagName === 'a' || tagName === 'area'
  if (tagName === 'link') readLink(element, reading)
  else if (tagName === 'script') readScript(element, reading)
  else if (tagName === 'meta') readMeta(element, reading)
  else if (tagName === 'style') for (const one of findCssReferences(readText(element))) reading.add(one)
  const excerpt = () => formatTag(element)
  for (const { name, value } of element.attrs) {
    if (value === '') continue
    const add = (reference: Reference) => reading.add({ ...reference, attribute: name })
    if (name === 'style') for (const one of findCssReferences(value, true)) add(one)
    else if (name === 'href') {
      if (isLink) add({ use: 'link', address: value, excerpt })
      else if (isSvg && tagName !== 'script' && svgLoads.has(tagName.toLowerCase()) && !value.startsWith('#'))
        add({ use: 'image', address: value, excerpt })
    } else if (name === 'src') {
      if (tagName === 'input') {
        if (readAttribute(element, 'type')?.toLowerCase() === 'image') add({ use: 'image', address: value, excerpt })
      } else if (sources[tagName] !== undefined && value.trim() !== 'about:blank') {
        const isHidden = tagName === 'iframe' && readAttribute(element, 'srcdoc') !== null
        if (!isHidden) add({ use: sources[tagName], address: value, excerpt })
      }
    } else if (name === 'srcset') {
      if (tagName === 'img' || tagName === 'source')
        for (const one of readSrcset(value)) add({ use: 'image', ...one, excerpt })
    } else if (name === 'action' || name === 'formaction') add({ use: 'form', address: value, excerpt })
    else if (name === 'ping') {
      if (isLink) for (const address of value.trim().split(/\s+/)) add({ use: 'ping', address, excerpt })
    } else if (usesByElement.has(`${tagName} ${name}`))
      add({ use: usesByElement.get(`${tagName} ${name}`)!, address: value, excerpt })
    else if (name === 'srcdoc' && tagName === 'iframe' && reading.depth < 3) {
      const inside = { ...reading, depth: reading.depth + 1, inHead: false }
      // Fragments in an embedded document lead to its own elements.
      addReferences(listElements(parse(value)), inside)
    } else if (isSvg && value.includes('url(')) for (const one of findCssReferences(value, true)) add(one)
  }
}

const addReferences = (elements: readonly Element[], reading: Reading) => {
  let base: string | undefined
  let inHead = reading.inHead
  for (const element of elements) {
    if (element.tagName === 'body') inHead = false
    if (element.tagName === 'base') base ??= readAttribute(element, 'href') ?? undefined
    const add = (reference: Reference) =>
      reading.add({ element, ...reference, ...(base !== undefined && { base: reference.base ?? base }) })
    if (element.attrs.length > 0 || element.tagName === 'style' || element.tagName === 'script')
      readElement(element, { ...reading, add, inHead })
  }
}

export const findHtmlReferences = (
  elements: readonly Element[],
  isSuspicious: Reading['isSuspicious'],
): Reference[] => {
  const references: Reference[] = []
  addReferences(elements, { add: (reference) => references.push(reference), inHead: true, depth: 0, isSuspicious })
  return references
}

// An address that ends with a comma has no descriptors; a parenthesis in them that stays open ends with the text.
const candidate = /[\s,]*(?![\s,])(\S+)(?:(?<!,)(?:\([^)]*(?:\)|$)|[^,(]+)*)?/dgy

/** Addresses of a `srcset`, as the HTML standard splits it: commas within an address belong to it. */
const readSrcset = (text: string): { address: string; offset: number; end: number }[] =>
  [...text.matchAll(candidate)].map((found) => {
    const [offset] = found.indices![1]!
    const address = found[1]!.replace(/(?<!,),+$/, '')
    return { address, offset, end: offset + address.length }
  })
