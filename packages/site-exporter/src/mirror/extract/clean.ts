import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { decodeAddress } from '#site/data.ts'
import { convertCodeBlock, isCodeBlock } from './code-blocks.ts'
import {
  readClasses,
  findElement,
  findElements,
  isElement,
  readAttribute,
  readText,
  removeElements,
} from './elements.ts'
import { buildTabGroup, readTabs } from './tabs.ts'

/** Returns the new form of an address; null removes it. */
export type Refer = (address: string, kind: 'link' | 'media') => string | null

const allowed = new Set(
  `a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe img input ins
kbd li mark ol p q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var video audio source`.split(
    /\s+/,
  ),
)
const attributes: Readonly<Record<string, readonly string[]>> = {
  img: ['alt', 'title', 'width', 'height'],
  a: ['title'],
  abbr: ['title'],
  ol: ['start', 'reversed', 'type'],
  td: ['align', 'colSpan', 'rowSpan'],
  th: ['align', 'colSpan', 'rowSpan', 'scope'],
  input: ['type', 'checked'],
  details: ['open'],
  iframe: ['title'],
}
const inline = /^(a|abbr|b|code|del|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|br|img)$/

export const cleanContent = (content: Element | Root, refer: Refer): ElementContent[] => {
  const within = (node: Element | Root, around: readonly Element[]): ElementContent[] =>
    node.children.flatMap((child): ElementContent[] => {
      if (child.type === 'text') return [child]
      return isElement(child) ? one(child, isElement(node as Element) ? [...around, node as Element] : around) : []
    })

  const one = (node: Element, around: readonly Element[]): ElementContent[] => {
    const inside = (part: Element) => within(part, [...around, node])
    if (isCodeBlock(node)) return [addId(convertCodeBlock(node, around), node)]
    const tabs = readTabs(node)
    if (tabs) return [addId(buildTabGroup(tabs, inside), node)]
    if (isCallout(node)) return [addId(convertCallout(node, inside), node)]
    if (isFormula(node)) return convertFormula(node)
    if (isAroundText(node)) return []
    if (/^h[1-6]$/.test(node.tagName)) return [convertHeading(node, inside)]
    if (node.tagName === 'img') return image(node)
    const children = inside(node)
    if (!allowed.has(node.tagName)) return separateContent(node, children)
    return plain(node, children)
  }

  const image = (node: Element): ElementContent[] => {
    const source = findImageSource(node)
    const src = source && refer(source, 'media')
    return src ? [{ ...node, properties: { ...readOwnProperties(node), src }, children: [] }] : []
  }

  const plain = (node: Element, children: ElementContent[]): ElementContent[] => {
    const properties = readOwnProperties(node)
    const id = readAttribute(node, 'id') || (node.tagName === 'a' ? readAttribute(node, 'name') : '')
    if (node.tagName === 'a' && 'href' in node.properties) {
      const href = refer(readAttribute(node, 'href'), 'link')
      if (href !== null && children.some((child) => isElement(child) || (child.type === 'text' && child.value.trim())))
        properties['href'] = href
    }
    if (/^(iframe|video|audio|source)$/.test(node.tagName)) {
      const src = refer(
        readAttribute(node, 'src') || readAttribute(node, 'dataSrc'),
        node.tagName === 'iframe' ? 'link' : 'media',
      )
      if (src) properties['src'] = src
      else if (children.length === 0) return []
    }
    if (node.tagName === 'input' && properties['type'] !== 'checkbox') return []
    if (id) properties['id'] = id
    // Signature of a definition in generated code documentation.
    if (node.tagName === 'dt' && / sig /.test(readClasses(node)))
      return [{ ...node, properties, children: [h('code', children)] }]
    const isBare = Object.keys(properties).length === 0
    if (isBare && node.tagName === 'span') return children
    if (isBare && /^(a|section)$/.test(node.tagName)) return separateContent(node, children)
    if (isBare && node.tagName === 'div') return separateContent(node, children)
    return [{ ...node, properties, children }]
  }
  return within(content, [])
}

const readOwnProperties = (node: Element) =>
  Object.fromEntries(
    (attributes[node.tagName] ?? []).flatMap((name) => {
      const value = node.properties[name]
      return value === undefined || value === null || value === '' ? [] : [[name, value]]
    }),
  )

/** Keeps unwrapped content apart from its neighbours. */
const separateContent = (node: Element, children: ElementContent[]): ElementContent[] => {
  if (inline.test(node.tagName) || !children.some(isInline)) return children
  return children.every((child) => child.type === 'text' && child.value.trim() === '') ? children : [h('div', children)]
}
const isInline = (node: ElementContent) =>
  node.type === 'text' ? node.value.trim() !== '' : isElement(node) && inline.test(node.tagName)

const addId = (element: ElementContent, node: Element): ElementContent => {
  const id = readAttribute(node, 'id')
  if (id && isElement(element)) element.properties['id'] = id
  return element
}

const isFormula = (node: Element) => node.tagName === 'math' || / katex(-display)? /.test(readClasses(node))

const convertFormula = (node: Element): ElementContent[] => {
  const source = findElement(node, (child) => /tex/.test(readAttribute(child, 'encoding')))
  const words = source
    ? readText(source)
    : findElements(node, (child) => isElement(child, 'math'))
        .map(readText)
        .join(' ') || readText(node)
  return words ? [h('code', words)] : []
}

const sign = /^([#¶§🔗]|anchor|permalink.*|direct link to.*|link to .*|copy link.*)?$/iu

/** Converts a heading without its permalink. Takes the id from the heading, a child or the permalink. */
const convertHeading = (node: Element, inside: (node: Element) => ElementContent[]): Element => {
  const own = findElement(node, (child) => isElement(child, 'a') && readAttribute(child, 'href').startsWith('#'))
  const target = own && readAttribute(own, 'href').slice(1)
  const anchor = findElement(node, (child) => readAttribute(child, 'id') !== '' || readAttribute(child, 'name') !== '')
  const id =
    readAttribute(node, 'id') ||
    (anchor && (readAttribute(anchor, 'id') || readAttribute(anchor, 'name'))) ||
    target ||
    ''
  return {
    type: 'element',
    tagName: node.tagName,
    properties: id ? { id: decodeAddress(id) } : {},
    children: unwrapPermalinks(inside(node)),
  }
}

/** Unwraps permalinks, and removes those that are only a symbol. */
const unwrapPermalinks = (nodes: readonly ElementContent[]): ElementContent[] =>
  nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return [node]
    const children = unwrapPermalinks(node.children)
    const { id: inner, ...properties } = node.properties
    const isSelf = isElement(node, 'a') && (!('href' in properties) || readAttribute(node, 'href').startsWith('#'))
    if (isSelf) return sign.test(readText(node)) ? [] : children
    if (inner !== undefined && Object.keys(properties).length === 0 && isElement(node, 'span', 'a')) return children
    return [{ ...node, properties, children }]
  })

/** Source of an image: its own, its lazy one, or its largest variant. Null for tracking pixels and dark duplicates. */
const findImageSource = (node: Element): string | null => {
  const { width, height } = node.properties
  if ((Number(width) === 1 && Number(height) === 1) || Number(width) === 0) return null
  const isStandIn = (address: string) => address === '' || /^data:image\/(gif|svg\+xml)/i.test(address)
  const lazy = ['dataSrc', 'dataOriginal', 'dataLazySrc'].map((name) => readAttribute(node, name)).find(Boolean)
  const src = readAttribute(node, 'src')
  if (/#(gh-)?dark(-mode)?-only$/.test(src) || / (dark-only|only-dark|dark-mode-only|on-dark) /.test(readClasses(node)))
    return null
  if (!isStandIn(src)) return src
  return (
    lazy ??
    findLargestVariant(
      readAttribute(node, 'srcSet') || readAttribute(node, 'dataSrcSet') || readAttribute(node, 'dataSrcset'),
    ) ??
    (src || null)
  )
}

/** Finds the largest of `a.png 1x, b.png 2x`. Addresses may contain commas. */
const findLargestVariant = (variants: string): string | null => {
  let best: { address: string; size: number } | null = null
  for (const [, address = '', size = '1'] of variants.matchAll(/(\S*[^,\s])(?:\s+([\d.]+)[wxh])?(?:\s*,|\s*$)/g)) {
    if (!best || Number(size) > best.size) best = { address, size: Number(size) }
  }
  return best?.address ?? null
}

const neverText = new Set(
  `script style template noscript nav button form select textarea dialog svg canvas object embed link meta title head footer aside
label datalist menu`.split(/\s+/),
)
const aroundTextClass =
  /^(headerlink|hash-link|header-anchor|heading-anchor|anchor-link|heading-link|sl-anchor-link|anchor|permalink|anchorjs-link|copy|copybtn|copy-button|clipboard-copy|clipboard-button|btn-copy|toc|table-of-contents|on-this-page|toc-wrapper|local-toc|contents-nav|breadcrumbs?|breadcrumb-nav|trail|pagination|pagination-nav|pager|prev-next|prev-next-footer|page-nav|nav-buttons|neighbours|skip|skip-link|skip-to-content|sidebar|edit-link|edit-page-link|edit-this-page|theme-edit-this-page|theme-doc-footer|last-updated|page-feedback|feedback|feedback--answer|sr-only|visually-hidden|theme-doc-breadcrumbs|theme-doc-toc-mobile|theme-doc-version-badge|md-content__button|md-source-file|viewcode-link|viewcode-back|reading-time|td-page-meta|related-pages|vp-doc-footer|vpdocfooter|screen-reader-text|print-only|no-print|search-form|edit-page|page-edit|td-page-meta__edit)$/i

const isAroundText = (node: Element): boolean => {
  if (neverText.has(node.tagName)) return !isLazyFallback(node)
  if (/^(navigation|banner|contentinfo|search|dialog|tooltip|menu|button)$/.test(readAttribute(node, 'role')))
    return true
  if (
    readAttribute(node, 'ariaHidden') === 'true' &&
    !findElement(node, (child) => isElement(child, 'img', 'p', 'pre'))
  )
    return true
  if (node.properties['hidden'] === true || /display:\s*none/i.test(readAttribute(node, 'style'))) return true
  const names = readClasses(node).trim().split(' ')
  // In Docusaurus, a heading has the class of a permalink.
  const isHeading = /^h[1-6]$/.test(node.tagName)
  if (!names.some((name) => aroundTextClass.test(name) && !(isHeading && name === 'anchor'))) return false
  // Class names are ambiguous; long text counts as content.
  return readText(node).length < 2_000 && !findElement(node, (child) => isElement(child, 'h1', 'pre'))
}

/** A script would insert the real image, so this fallback is the only image. */
const isLazyFallback = (node: Element) =>
  node.tagName === 'noscript' && findElement(node, (child) => isElement(child, 'img', 'picture', 'video')) !== undefined

const calloutClass =
  / (admonition|theme-admonition|custom-block|alert|starlight-aside|callout|markdown-alert|hint|notice|admonitionblock|nextra-callout|note|tip|warning|caution|important)[ -]/
const titleClass =
  / (admonition-title|custom-block-title|callout-title|markdown-alert-title|starlight-aside__title|alert-heading|title)[ -]|admonitionHeading/

const calloutKinds: readonly [string, RegExp][] = [
  ['danger', /danger|error|caution-high|destructive/],
  ['warning', /warning|caution|attention|important|deprecated/],
  ['tip', /tip|success|check|hint|best-practice|seealso/],
  ['info', /info|abstract|summary/],
  ['note', /./],
]

const isCallout = (node: Element): boolean =>
  isElement(node, 'div', 'aside', 'section', 'blockquote') &&
  (calloutClass.test(readClasses(node)) || readAttribute(node, 'role') === 'note') &&
  !/badge|toc|banner/.test(readClasses(node))

const convertCallout = (node: Element, clean: (node: Element) => ElementContent[]): ElementContent => {
  const hints = `${readClasses(node)} ${readAttribute(node, 'ariaLabel')}`.toLowerCase()
  const [kind] = calloutKinds.find(([, words]) => words.test(hints))!
  const heading = findElement(node, (child) => titleClass.test(readClasses(child)))
  const title = heading ? readText(heading) : ''
  const isShort = title !== '' && title.length <= 120
  return h(
    kind,
    isShort && title.toLowerCase() !== kind ? { title } : {},
    clean(isShort ? removeElements(node, [heading!]) : node),
  )
}
