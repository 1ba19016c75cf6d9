import type { Nodes, Parents, Root } from 'mdast'
import { SKIP, visit } from 'unist-util-visit'
import { toSpan } from '#recipes/docs/page-tree.ts'

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

/** Elements whose text is no prose, or is somebody's words. */
const quiet =
  /^(code|pre|kbd|samp|var|tt|script|style|svg|math|a|q|blockquote|Prompt|CodeBlock|CodeGroup|Latex|Mermaid)$/i

/**
 * Running text of a page: not code, links, quotations, expressions or attributes, and nothing of a paragraph that has HTML of that kind or a
 * template in it.
 */
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

/** Opening and closing tags of inline HTML are nodes beside the text they enclose. */
const isUnsafe = (node: Parents, text: string) => {
  const { start, end } = toSpan(node)
  return (
    /\{\{|\{%|\$\$|\\\(|\[\[|^:::|^!!!|^\[!/m.test(text.slice(start, end)) ||
    node.children.some((child) => child.type === 'html' && quiet.test(/^<\/?([\w-]+)/.exec(child.value)?.[1] ?? ''))
  )
}
