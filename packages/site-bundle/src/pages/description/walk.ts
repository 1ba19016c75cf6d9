import type { DefaultTreeAdapterTypes as Tree } from 'parse5'

export const readAttribute = (element: Tree.Element, name: string): string | null =>
  element.attrs.find((attribute) => attribute.name === name)?.value ?? null

export const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node

export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text'

/**
 * Visits everything below `root` in document order without recursion, because a hostile page can be any number of levels deep.
 * `enter` returns false to skip what is inside; `leave` follows for every element that was entered.
 */
export const walk = (
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
