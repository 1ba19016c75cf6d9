import type { Root } from 'mdast'
import { parsePage } from '#recipes/docs/page-tree.ts'

/**
 * Whether two versions of a page say the same: their syntax trees are alike in everything but the places in the file, and blanks at the ends of
 * lines of text. False when one does not parse.
 */
export const isSameMeaning = (before: string, after: string, page: string): boolean => {
  const [first, second] = [parsePage(before, page), parsePage(after, page)]
  return first !== null && second !== null && serializeTree(first) === serializeTree(second)
}

const serializeTree = (tree: Root) =>
  JSON.stringify(tree, (key, value: unknown) => {
    // What MDX keeps beside its expressions holds places as well.
    if (key === 'position' || key === 'data') return undefined
    return typeof value === 'string' ? value.replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n') : value
  })
