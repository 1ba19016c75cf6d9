import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'

/** How documentation tools take other files into a page. The first group is the path. */
const inclusions = [
  /<!--\s*@include:\s*([^\s{#>]+)/g,
  /^<<<\s*(\S+)/gm,
  /\{\{#\w+\s+([^\s}:]+)/g,
  /\{%-?\s*include(?:[-_]\w+)?\s+["']([^"'\n]+)["']/g,
  /--8<--\s*["']([^"'\n]+)["']/g,
]
const imported = /\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g

/** Paths of the files that a page imports or includes, as they are written. */
export const listIncludes = (tree: Root, text: string): string[] => {
  const paths = inclusions.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path))
  visit(tree, (node) => {
    if (node.type === 'mdxjsEsm') paths.push(...[...node.value.matchAll(imported)].map(([, path = '']) => path))
  })
  return paths
}
