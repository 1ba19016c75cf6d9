import type { Nodes, Parents, Root } from 'mdast'
import { SKIP, visit } from 'unist-util-visit'
import { frontMatterLength, parsePage, toSpan } from '#recipes/docs/page-tree.ts'

/** A piece of running text on a page, with its place. `isHeading`: its words make the address of the heading. */
export type Prose = { start: number; end: number; isHeading: boolean; block: string }

const notProse = new Set([
  'link',
  'linkReference',
  'image',
  'imageReference',
  'code',
  'inlineCode',
  'definition',
  'footnoteDefinition',
])

/** Elements whose text is no prose, or a quotation. */
const quiet =
  /^(code|pre|kbd|samp|var|tt|script|style|svg|math|a|q|blockquote|Prompt|CodeBlock|CodeGroup|Latex|Mermaid)$/i

/** Running text of a page: no code, links, quotations, expressions or attributes, and no paragraph with a template or such HTML. */
export const listProse = (tree: Root, text: string): Prose[] => {
  const found: Prose[] = []
  visit(tree, (node, _index, parent) => {
    if (node.type === 'blockquote' || notProse.has(node.type) || isQuietElement(node)) return SKIP
    if (hasPhrases(node) && isUnsafe(node, text)) return SKIP
    if (node.type === 'text' && parent) {
      const { start, end } = toSpan(node)
      const block = toSpan(parent)
      found.push({ start, end, isHeading: parent.type === 'heading', block: text.slice(block.start, block.end) })
    }
    return undefined
  })
  return found
}

const isQuietElement = (node: { type: string }) =>
  node.type.startsWith('mdxJsx') && 'name' in node && quiet.test(String(node.name))

const hasPhrases = (node: Nodes): node is Parents =>
  node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell'

/** The parser puts tags of inline HTML beside the text they enclose. */
const isUnsafe = (node: Parents, text: string) => {
  const { start, end } = toSpan(node)
  return (
    /\{\{|\{%|\$\$|\\\(|\[\[|^:::|^!!!|^\[!/m.test(text.slice(start, end)) ||
    node.children.some((child) => child.type === 'html' && quiet.test(/^<\/?([\w-]+)/.exec(child.value)?.[1] ?? ''))
  )
}

/**
 * Words in lower case that a page uses as names: in code, addresses, front matter keys, tags and attributes, and in the path of its
 * file.
 */
export const listNames = (page: string, text: string): Set<string> => {
  const names = new Set<string>()
  const add = (source: string) => {
    for (const word of source.match(/[A-Za-z]+/g) ?? []) {
      names.add(word.toLowerCase())
      // Parts of camelCase are names of their own.
      for (const part of word.match(/[A-Z]?[a-z]+/g) ?? []) names.add(part.toLowerCase())
    }
  }
  add(page)
  for (const [, key = ''] of text.slice(0, frontMatterLength(text)).matchAll(/^\s*([\w-]+)\s*:/gm)) add(key)
  const tree = parsePage(text, page)
  if (!tree) return names
  visit(tree, (node) => {
    if (node.type === 'code' || node.type === 'inlineCode') add(node.value)
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') add(node.url)
    else if (node.type === 'html') add((node.value.match(/<[^>]*>/g) ?? []).join(' '))
    else if (node.type.startsWith('mdx') && 'value' in node && typeof node.value === 'string') add(node.value)
  })
  return names
}
