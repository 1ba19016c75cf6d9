import type { ElementContent, Root } from 'hast'
import { walkTree } from '#markdown/walk-tree.ts'

/** Place of something that a component could not compute. */
export const gap = (): ElementContent => ({
  type: 'element',
  tagName: 'not-here-inline',
  properties: { isGap: true },
  children: [],
})

/** True for `gap()`. */
export const isGap = (node: { type: string }): boolean =>
  node.type === 'element' && 'properties' in node && (node.properties as { isGap?: boolean }).isGap === true

/** Keeps gaps within a sentence, which would read wrong without them, and removes the others. */
export const settleGaps = (tree: Root): void => {
  walkTree(tree, (node) => {
    if (!('children' in node) || !node.children.some(isGap)) return
    const isSentence = node.children.some((child) => child.type === 'text' && /[\p{L}\p{N}]/u.test(child.value))
    node.children = node.children.filter((child) => isSentence || !isGap(child)) as never
  })
}
