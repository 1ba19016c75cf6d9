import type { Element, ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'

/** Makes a tree of files from a list: items that hold a list, or end in a slash, are folders. */
export const buildTree = (children: readonly ElementContent[]): ElementContent => {
  const lists = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  return h(
    'div',
    { className: ['tree'] },
    lists.map((child) => (isList(child) ? list(child, ['tree-list']) : child)),
  )
}

const isList = (node: ElementContent): node is Element => node.type === 'element' && /^[uo]l$/.test(node.tagName)

const list = (node: Element, className: string[] | null = null): Element =>
  h(
    'ul',
    { className },
    node.children.flatMap((child) => (child.type === 'element' ? [item(child)] : [])),
  )

const item = (node: Element): Element => {
  // A loose list wraps its text in paragraphs.
  const parts = node.children.flatMap((child): ElementContent[] =>
    child.type === 'element' && child.tagName === 'p' ? child.children : [child],
  )
  const inner = parts.filter(isList)
  const label = parts.filter((part) => !isList(part))
  const text = label
    .map((part) => toString(part))
    .join('')
    .trim()
  const isFolder = inner.length > 0 || /^\S*\/(\s|$)/.test(text)
  const lists = inner.map((part) => list(part))
  if (!isFolder) return h('li', { className: [/^(\.{3}|…)$/.test(text) ? 'more' : 'file'] }, label)
  return h(
    'li',
    { className: ['folder'] },
    inner.length > 0 ? [h('details', { open: true }, [h('summary', label), ...lists])] : label,
  )
}
