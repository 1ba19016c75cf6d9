/** The `<font>` that a translator put in place of each text node that it took out of the page. */
const replacements = new WeakMap<Node, Node>()

const isFont = (node: Node | null): node is Node => node?.nodeName === 'FONT'

const noteReplacements = (records: readonly MutationRecord[]): void => {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const node of removedNodes) {
      if (!(node instanceof Text) || node.isConnected) continue
      const font = [...addedNodes, previousSibling, nextSibling].find(isFont)
      if (font) replacements.set(node, font)
    }
}

/** What stands for `node` among the children of `parent`; null if nothing does. */
const findInside = (parent: Node, node: Node): Node | null => {
  let inside: Node | null = node.parentNode === null ? (replacements.get(node) ?? null) : node
  while (inside !== null && inside.parentNode !== parent) inside = inside.parentNode
  return inside
}

/**
 * Lets React change a page whose text a translator wrapped or replaced, as those of browsers do. React keeps its own text nodes, and would
 * crash when one is not where it put it, and write to one that nobody sees.
 */
export const tolerateTranslators = (root: Element): void => {
  const observer = new MutationObserver(noteReplacements)
  observer.observe(root, { childList: true, subtree: true })
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T
    noteReplacements(observer.takeRecords())
    const inside = findInside(this, child)
    if (inside !== null) removeChild.call(this, inside)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    if (before === null || before.parentNode === this) return insertBefore.call(this, node, before) as T
    noteReplacements(observer.takeRecords())
    return insertBefore.call(this, node, findInside(this, before)) as T
  }
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')!
  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...value,
    set(this: Text, text: string) {
      value.set!.call(this, text)
      if (this.isConnected) return
      noteReplacements(observer.takeRecords())
      const font = replacements.get(this)
      // Back in the page, the text is translated anew.
      if (font?.parentNode) font.parentNode.replaceChild(this, font)
    },
  })
}
