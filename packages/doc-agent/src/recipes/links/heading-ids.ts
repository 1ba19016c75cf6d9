import GithubSlugger from 'github-slugger'
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { toSpan } from '#recipes/docs/page-tree.ts'

const ownId = /\s*\{#([\w:.-]+)\}\s*$/

/** Ids that links to parts of a page can name: of its headings, and those that its HTML and JSX give. */
export const listHeadingIds = (tree: Root, text: string): Set<string> => {
  const slugger = new GithubSlugger()
  const ids = new Set<string>()
  visit(tree, (node) => {
    const { start, end } = toSpan(node)
    if (node.type === 'heading') {
      const words = plainText(node).trim()
      const own = ownId.exec(words)?.[1] ?? /\{#([\w:.-]+)\}/.exec(text.slice(start, end))?.[1]
      ids.add(own ?? slugger.slug(words))
    } else if (node.type === 'html' || node.type.startsWith('mdxJsx'))
      for (const [, value = ''] of text.slice(start, end).matchAll(/\b(?:id|name|title)\s*=\s*["']([^"'\n]+)["']/g)) {
        ids.add(value)
        // Components such as accordions make an id of their title.
        ids.add(new GithubSlugger().slug(value))
      }
  })
  return ids
}

const plainText = (node: { type?: string; value?: unknown; alt?: unknown; children?: unknown[] }): string => {
  // Tags are no text of a heading.
  if (node.type === 'html') return ''
  if (typeof node.value === 'string') return node.value
  if (typeof node.alt === 'string') return node.alt
  return (node.children ?? []).map((child) => plainText(child as { value?: unknown })).join('')
}

/** An id without what documentation tools make in different ways: case, and everything but letters and digits. */
export const looseId = (id: string): string =>
  id
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
