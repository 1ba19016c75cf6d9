import type { Element, ElementContent } from 'hast'
import { decodeAddress } from '#site/decode-address.ts'
import { find, isElement, textAttribute, readText } from './elements.ts'

const sign = /^([#¶§🔗]|anchor|permalink.*|direct link to.*|link to .*|copy link.*)?$/iu

/** Converts a heading without its permalink. Takes the id from itself, a child or the permalink. */
export const heading = (node: Element, inside: (node: Element) => ElementContent[]): Element => {
  const own = find(node, (child) => isElement(child, 'a') && textAttribute(child, 'href').startsWith('#'))
  const target = own && textAttribute(own, 'href').slice(1)
  const anchor = find(node, (child) => textAttribute(child, 'id') !== '' || textAttribute(child, 'name') !== '')
  const id =
    textAttribute(node, 'id') ||
    (anchor && (textAttribute(anchor, 'id') || textAttribute(anchor, 'name'))) ||
    target ||
    ''
  return {
    type: 'element',
    tagName: node.tagName,
    properties: id ? { id: decodeAddress(id) } : {},
    children: unlinked(inside(node)),
  }
}

/** Unwraps permalinks, and removes those that are only a sign. */
const unlinked = (nodes: readonly ElementContent[]): ElementContent[] =>
  nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return [node]
    const children = unlinked(node.children)
    const { id: inner, ...properties } = node.properties
    const isSelf = isElement(node, 'a') && (!('href' in properties) || textAttribute(node, 'href').startsWith('#'))
    if (isSelf) return sign.test(readText(node)) ? [] : children
    if (inner !== undefined && Object.keys(properties).length === 0 && isElement(node, 'span', 'a')) return children
    return [{ ...node, properties, children }]
  })
