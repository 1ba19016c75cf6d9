import type { ElementContent, Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { h } from 'hastscript'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { walkTree } from '#markdown/walk-tree.ts'

const markdown = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze()
const toHtml = unified().use(remarkRehype).freeze()
const marks = /[[*_`]|~~|https?:|www\.|\\/
/** Longer text stays plain. Characters. */
const maxLength = 4_000
const schema = {
  tagNames: ['a', 'code', 'em', 'strong', 'del', 'br'],
  attributes: { a: ['href'] },
  protocols: { href: ['http', 'https', 'mailto', 'tel'] },
}

/** Reads code spans of a title; other marks are part of its words. */
export const inlineCode = (text: string): ElementContent[] =>
  text
    .split(/`([^`]+)`/)
    .map((piece, index) => (index % 2 === 1 ? h('code', piece) : ({ type: 'text', value: piece } as const)))
    .filter((piece) => piece.type !== 'text' || piece.value !== '')

/** Reads a sentence in an attribute as Markdown. HTML, pictures and blocks stay text. */
export const inlineMarkdown = (text: string): ElementContent[] => {
  if (text.length > maxLength || !marks.test(text)) return [{ type: 'text', value: text }]
  const tree = markdown.parse(text)
  const isOneParagraph = tree.children.length === 1 && tree.children[0]?.type === 'paragraph'
  if (!isOneParagraph) return [{ type: 'text', value: text }]
  walkTree(tree, (node, index, parent) => {
    if (!parent || index === undefined || !/^(html|image|imageReference|footnoteReference)$/.test(node.type)) return
    const { start, end } = node.position!
    parent.children[index] = { type: 'text', value: text.slice(start.offset, end.offset) }
  })
  const root = sanitize(toHtml.runSync(tree), schema) as Root
  return root.children as ElementContent[]
}
