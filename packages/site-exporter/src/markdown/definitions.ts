import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'

/** Turns `Term` followed by `: meaning` lines into definition lists. */
export const listDefinitions = (tree: Root): void => {
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName !== 'p' || !parent || index === undefined) return undefined
    const parts = splitParts(node)
    if (parts.length < 2) return SKIP
    const [term, ...meanings] = parts
    const entries = [h('dt', term), ...meanings.map((meaning) => h('dd', meaning))]
    const before = parent.children
      .slice(0, index)
      .findLast(({ type, ...other }) => type !== 'text' || ('value' in other && other.value.trim() !== ''))
    if (before?.type === 'element' && before.tagName === 'dl') {
      before.children.push(...entries)
      parent.children.splice(index, 1)
      return [SKIP, index]
    }
    parent.children[index] = h('dl', entries)
    return [SKIP, index + 1]
  })
}

const splitParts = ({ children }: Element): ElementContent[][] => {
  const parts: ElementContent[][] = [[]]
  for (const child of children) {
    const [first = '', ...rest] = child.type === 'text' ? child.value.split(/\n: +/) : []
    if (child.type !== 'text') parts.at(-1)!.push(child)
    else if (first !== '') parts.at(-1)!.push({ type: 'text', value: first })
    for (const value of rest) parts.push([{ type: 'text', value }])
  }
  return parts[0]!.length === 0 ? [[]] : parts
}
