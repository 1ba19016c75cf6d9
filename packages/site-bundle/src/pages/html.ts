import { defaultTreeAdapter, type DefaultTreeAdapterTypes } from 'parse5'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element
export type Document = DefaultTreeAdapterTypes.Document

export const readAttribute = (element: Element, name: string): string | null => {
  for (const attribute of element.attrs) if (attribute.name === name) return attribute.value
  return null
}

export const readText = (element: Element): string =>
  element.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('')

const isShadow = (element: Element) => element.attrs.some(({ name }) => name === 'shadowrootmode')

/**
 * Elements that a browser with scripts renders, in order. Leaves out templates, but for those that become a shadow tree by themselves.
 * Keeps its own stack, because pages may nest deeper than calls.
 */
export const listElements = (root: Node): Element[] => {
  const elements: Element[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('tagName' in node) elements.push(node)
    const tree = 'tagName' in node && 'content' in node && isShadow(node) ? node.content : node
    if (!('childNodes' in tree)) continue
    for (let place = tree.childNodes.length - 1; place >= 0; place -= 1) stack.push(tree.childNodes[place]!)
  }
  return elements
}

/** An element's start tag, cut to 200 characters. */
export const formatTag = ({ tagName, attrs }: Element): string =>
  cut(`<${tagName}${attrs.map(({ name, value }) => ` ${name}="${cut(value)}"`).join('')}>`)

/** Cuts a text to 200 characters, with single spaces. */
export const cut = (text: string): string => {
  const line = text.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line
}
