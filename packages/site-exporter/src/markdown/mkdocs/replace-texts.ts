import type { ElementContent, Root, RootContent } from 'hast'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'

/** Replaces text outside code, where `replace` returns nodes. */
export const replaceTexts = (tree: Root, replace: (value: string) => ElementContent[] | null): void => {
  walkTree(tree, (node, index, parent) => {
    if (node.type === 'element' && /^(pre|code|script|style|kbd|abbr)$/.test(node.tagName)) return SKIP
    if (node.type !== 'text' || !parent || index === undefined) return undefined
    const nodes = replace(node.value)
    if (nodes === null) return undefined
    ;(parent.children as RootContent[]).splice(index, 1, ...nodes)
    return [SKIP, index + nodes.length]
  })
}
