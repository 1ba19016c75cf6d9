import type { Element, ElementContent, Root } from 'hast'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { removeUnlisted } from '#markdown/allow-list.ts'
import { createEmptyPieces } from '#markdown/mdx/page-pieces.ts'
import { parseHtml } from '#markdown/parse-html.ts'
import { parsePage } from '#markdown/parse-page.ts'
import type { BrandText } from '#site/brand.ts'
import { markup, trustHtml, type Markup } from '#writer/markup.ts'
import type { LinkFrom } from './brand-links.ts'

/** Text of the frame: pieces of HTML, and the addresses of the links between them. */
export type InlineText = { pieces: readonly string[]; addresses: readonly string[] }

const kept = new Set('a abbr b br code del em i ins kbd mark s small span strong sub sup u'.split(' '))
const toHtml = unified().use(rehypeStringify).freeze()
const mark = 'docket-link:'

/** Blocks, pictures and components are reduced to their text. */
export const readInlineText = ({ text, notation }: BrandText): InlineText => {
  const parsed =
    notation === 'html'
      ? parseHtml(text)
      : parsePage(text, { isMdx: true, formulas: 'none', pieces: createEmptyPieces() }, () => undefined)
  const addresses: string[] = []
  const children = removeUnlisted(parsed, () => undefined).children.flatMap((node) =>
    reduceToInline(node as ElementContent, addresses),
  )
  const html = toHtml.stringify({ type: 'root', children } satisfies Root)
  return { pieces: html.split(/"docket-link:\d+"/), addresses }
}

const reduceToInline = (node: ElementContent, addresses: string[]): ElementContent[] => {
  if (node.type === 'text') return [node]
  if (node.type !== 'element') return []
  const children = node.children.flatMap((child) => reduceToInline(child, addresses))
  const href = node.tagName === 'a' ? node.properties['href'] : undefined
  if (node.tagName === 'a' && typeof href === 'string') {
    const properties = { href: `${mark}${addresses.push(href) - 1}` }
    return [{ type: 'element', tagName: 'a', properties, children }]
  }
  if (kept.has(node.tagName) && node.tagName !== 'a') return [{ ...node, properties: {}, children } satisfies Element]
  return children
}

/** The text as HTML for one page. A broken link leads to the page itself. */
export const showInlineText = ({ pieces, addresses }: InlineText, file: string, link: LinkFrom): Markup => {
  const links = addresses.map((address) => {
    const found = link(file, address)
    const outside = found?.isOutside && markup` rel="noopener noreferrer"`
    return markup`"${found?.href ?? '#docket-content'}"${outside ?? null}`
  })
  return markup`${pieces.map((piece, index) => markup`${trustHtml(piece)}${links[index] ?? null}`)}`
}
