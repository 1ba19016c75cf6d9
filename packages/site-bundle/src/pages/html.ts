import { defaultTreeAdapter, type DefaultTreeAdapterTypes as Tree } from 'parse5'

export type Node = Tree.Node
export type Element = Tree.Element
export type Document = Tree.Document

export const readAttribute = (element: Element, name: string): string | null => {
  for (const attribute of element.attrs) if (attribute.name === name) return attribute.value
  return null
}

export const readText = (element: Element): string =>
  element.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('')

const isShadow = (element: Element) => element.attrs.some(({ name }) => name === 'shadowrootmode')

/** What a browser with scripts renders, in order. Without recursion, because pages may nest deeper than calls. */
export const listElements = (root: Node, { everyTemplate = false } = {}): Element[] => {
  const elements: Element[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('tagName' in node) elements.push(node)
    const tree = 'tagName' in node && 'content' in node && (everyTemplate || isShadow(node)) ? node.content : node
    if (!('childNodes' in tree)) continue
    for (let place = tree.childNodes.length - 1; place >= 0; place -= 1) stack.push(tree.childNodes[place]!)
  }
  return elements
}

export const formatTag = ({ tagName, attrs }: Element): string =>
  shortenText(`<${tagName}${attrs.map(({ name, value }) => ` ${name}="${shortenText(value)}"`).join('')}>`)

/** Cuts a text to 200 characters, with single spaces. */
export const shortenText = (text: string): string => {
  const line = text.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line
}

/** Null when the refresh only reloads. */
export const readRefresh = (content: string): { address: string; afterSeconds: number } | null => {
  const [, after = '', address = ''] = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content) ?? []
  const bare = address.trim().replace(/^(["'])(.*?)\1.*$/s, '$2')
  return bare === '' ? null : { address: bare, afterSeconds: Number(after) }
}

/** The first child of this name. */
export const findChild = (parent: Tree.ParentNode, name: string): Tree.Element | null =>
  parent.childNodes.filter(isElement).find(({ tagName }) => tagName === name) ?? null

export const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node

export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text'

/** Without recursion, because a hostile page can be any number of levels deep. `enter` returns false to skip the inside. */
export const walkTree = (
  root: Tree.ParentNode,
  enter: (node: Tree.ChildNode) => boolean,
  leave: (element: Tree.Element) => void = () => undefined,
): void => {
  const nodes: Tree.ParentNode[] = [root]
  const places = [0]
  for (let depth = 0; depth >= 0;) {
    const node = nodes[depth]!
    const child = node.childNodes[places[depth]!++]
    if (child === undefined) {
      nodes.pop()
      places.pop()
      depth--
      if (depth >= 0) leave(node as Tree.Element)
    } else if (enter(child) && isElement(child)) {
      nodes.push(child)
      places.push(0)
      depth++
    }
  }
}
