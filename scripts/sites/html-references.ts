import { parse, type DefaultTreeAdapterTypes, type ParserError } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document

/**
 * An address on a page. A `link` is followed by readers, what is marked `load` is fetched with the page, and a `name`
 * only says where something is published.
 */
export type Reference = { use: 'link' | 'load' | 'name'; tag: string; address: string }

/** An element as a check needs it. */
export type FlatElement = { tag: string; parent: string; attributes: ReadonlyMap<string, string>; text: string }

/** Content of a page: its elements in the order of the document, texts outside code, and what a browser has to repair. */
export type ParsedPage = { elements: FlatElement[]; texts: string[]; repairs: string[] }

/** Parses a page as a browser does. */
export const parsePage = (html: string): ParsedPage => {
  const elements: FlatElement[] = []
  const texts: string[] = []
  const repairs: string[] = []
  const walk = (node: Node, isCode = false) => {
    if ('tagName' in node) elements.push(flat(node))
    if ('value' in node && !isCode) texts.push(node.value)
    const isInner = isCode || ('tagName' in node && codeTags.test(node.tagName))
    const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : []
    for (const child of children) walk(child, isInner)
  }
  const onParseError = ({ code, startOffset, endOffset }: ParserError) =>
    repairs.push(`${code} at ${html.slice(Math.max(0, startOffset - 40), endOffset + 20).replace(/\s+/g, ' ')}`)
  walk(parse(html, { onParseError, sourceCodeLocationInfo: true }))
  return { elements, texts, repairs }
}

const codeTags = /^(code|pre|kbd|samp|script|style|title|svg|math|textarea)$/

const textOfTags = /^(title|style|script|h[1-6])$/

const flat = (element: Element): FlatElement => ({
  tag: element.tagName,
  parent: element.parentNode !== null && 'tagName' in element.parentNode ? element.parentNode.tagName : '',
  attributes: new Map(
    element.attrs.map(({ prefix, name, value }) => [prefix === undefined ? name : `${prefix}:${name}`, value]),
  ),
  text: textOfTags.test(element.tagName) ? readText(element) : '',
})

const readText = (node: Node): string => {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(readText).join('') : ''
}

const loading: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  script: ['src'],
  iframe: ['src'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  track: ['src'],
  embed: ['src'],
  input: ['src'],
  object: ['data'],
  image: ['href', 'xlink:href'],
  use: ['href', 'xlink:href'],
}

/** Every address on a page, also those in styles. */
export const listReferences = (elements: readonly FlatElement[]): Reference[] =>
  elements.flatMap(({ tag, attributes, text }) => {
    const toReferences = (use: Reference['use'], addresses: readonly string[]) =>
      addresses.map((address): Reference => ({ use, tag, address }))
    const styles = [attributes.get('style'), tag === 'style' ? text : undefined].flatMap((css) =>
      css === undefined ? [] : styleAddresses(css),
    )
    return [
      ...toReferences(findUse(tag, attributes), present(attributes, tag === 'form' ? ['action'] : linking(tag))),
      ...toReferences('load', present(attributes, loading[tag] ?? [])),
      ...toReferences('load', styles),
      ...toReferences('link', refresh(tag, attributes)),
    ]
  })

const linking = (tag: string) => (/^(a|area|link|base)$/.test(tag) ? ['href'] : [])

const findUse = (tag: string, attributes: ReadonlyMap<string, string>) => {
  if (tag !== 'link') return 'link'
  return /\b(canonical|alternate|license|author)\b/i.test(attributes.get('rel') ?? '') ? 'name' : 'load'
}

const present = (attributes: ReadonlyMap<string, string>, names: readonly string[]) =>
  names.flatMap((name) => {
    const value = attributes.get(name)
    if (value === undefined) return []
    return name === 'srcset' ? value.split(',').map((part) => part.trim().split(/\s+/)[0] ?? '') : [value]
  })

const refresh = (tag: string, attributes: ReadonlyMap<string, string>) => {
  const isRefresh = tag === 'meta' && /^refresh$/i.test(attributes.get('http-equiv') ?? '')
  const address = isRefresh ? /url\s*=\s*(.*)$/i.exec(attributes.get('content') ?? '')?.[1] : undefined
  return address === undefined ? [] : [address]
}

/** Addresses that a style sheet loads: `url(…)` and `@import`. */
export const styleAddresses = (css: string): string[] =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/url\(\s*(["']?)(.*?)\1\s*\)|@import\s+(["'])(.*?)\3/g)].map(
    ([, , url, , imported]) => url ?? imported ?? '',
  )
