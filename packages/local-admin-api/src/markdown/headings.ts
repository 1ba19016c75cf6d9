import type { Element, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import GithubSlugger from 'github-slugger'
import { visit } from 'unist-util-visit'

/** A heading of the page, as its table of contents lists it. */
export type Heading = { id: string; text: string; level: number }

/** What remains of a page after its title was taken out. */
export type Outline = { title: string | null; headings: Heading[]; ids: Set<string> }

/**
 * Takes a leading h1 out as the title, makes other h1 to h2, and gives every heading an id (its own `{#id}`, else from its text).
 * Ids are unique on the page: a repeated one is dropped.
 */
export const outline = (tree: Root): Outline => {
  const title = takeTitle(tree)
  const slugger = new GithubSlugger()
  const ids = new Set<string>()
  const headings: Heading[] = []
  visit(tree, 'element', (node) => {
    if (/^h[1-6]$/.test(node.tagName)) {
      if (node.tagName === 'h1') node.tagName = 'h2'
      const own = takeOwnId(node)
      const text = toString(node).trim()
      const level = Number(node.tagName[1])
      node.properties['id'] = node.properties['id'] ?? own ?? slugger.slug(text || 'section')
      const hidden = Array.isArray(node.properties['className']) && node.properties['className'].includes('sr-only')
      if (level <= 3 && text && !hidden) headings.push({ id: String(node.properties['id']), text, level })
    }
    if (node.tagName === 'a' && node.properties['name'] && !node.properties['id'])
      node.properties['id'] = node.properties['name']
    delete node.properties['name']
    const id = node.properties['id']
    if (id === undefined) return
    if (ids.has(String(id)) || String(id) === '' || /\s/.test(String(id))) delete node.properties['id']
    else ids.add(String(id))
  })
  return {
    title,
    headings: headings.filter((heading, index) => headings.findIndex(({ id }) => id === heading.id) === index),
    ids,
  }
}

const takeTitle = (tree: Root) => {
  const index = tree.children.findIndex((node) => node.type === 'element')
  const first = tree.children[index]
  if (first?.type !== 'element' || first.tagName !== 'h1') return null
  takeOwnId(first)
  const text = toString(first).trim()
  if (text) tree.children.splice(index, 1)
  return text || null
}

/** `Heading {#own-id}` as several documentation tools write it. */
const takeOwnId = (node: Element) => {
  const last = node.children.at(-1)
  if (last?.type !== 'text') return undefined
  const match = /\s*\{#([\w:.-]+)\}\s*$/.exec(last.value)
  if (!match) return undefined
  last.value = last.value.slice(0, match.index)
  return match[1]
}
