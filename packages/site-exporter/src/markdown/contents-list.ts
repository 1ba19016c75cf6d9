import type { Element, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'
import type { Heading } from './headings.ts'

/** Replaces `[[toc]]`, `[TOC]` and `[[_TOC_]]` by a list of headings. */
export const listContents = (tree: Root, headings: readonly Heading[]): void => {
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'pre') return SKIP
    if (node.tagName !== 'p' || !parent || index === undefined) return undefined
    if (!/^(?:\[\[_?toc_?\]\]|\[toc\])$/i.test(toString(node).trim())) return undefined
    parent.children.splice(index, 1, ...(headings.length > 0 ? [buildList(headings)] : []))
    return [SKIP, index + 1]
  })
}

const buildList = (headings: readonly Heading[]) => {
  const list = h('ul')
  let inner: Element | null = null
  for (const { id, text, level } of headings) {
    const item = h('li', [h('a', { href: `#${encodeURIComponent(id)}` }, text)])
    const last = list.children.at(-1)
    if (level <= 2 || last?.type !== 'element') {
      list.children.push(item)
      inner = null
      continue
    }
    if (inner === null) last.children.push((inner = h('ul')))
    inner.children.push(item)
  }
  return list
}
