import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'

/** Searchable text below a heading. `id` and `heading` are `''` above the first. */
export type SearchSection = { id: string; heading: string; text: string }

/** Elements that do not separate words. */
const inline = new Set(
  'a abbr b bdi bdo cite code del em i ins kbd mark q s samp small span strong sub sup u var'.split(' '),
)
const silent = /^(button|input|nav|noscript|script|select|style|svg|template|textarea)$/
const silentClasses = new Set(['not-here', 'sr-only', 'copy', 'language'])

/** Reads the text of a page by heading, without placeholders, labels of controls and lists of headings. */
export const readSections = (tree: Root): SearchSection[] => {
  const sections: SearchSection[] = []
  let open = { id: '', heading: '', pieces: [] as string[] }
  const close = () => {
    const text = open.pieces.join('').replace(/\s+/g, ' ').trim()
    if (text !== '' || open.heading !== '') sections.push({ id: open.id, heading: open.heading, text })
  }
  const read = (node: Root['children'][number]): void => {
    if (node.type === 'text') open.pieces.push(node.value)
    if (node.type !== 'element' || isSilent(node)) return
    if (/^h[1-6]$/.test(node.tagName)) {
      close()
      const heading = toString(node).replace(/\s+/g, ' ').trim()
      open = { id: String(node.properties['id'] ?? ''), heading, pieces: [] }
      return
    }
    if (inline.has(node.tagName)) return node.children.forEach(read)
    open.pieces.push(' ')
    node.children.forEach(read)
    open.pieces.push(' ')
  }
  tree.children.forEach(read)
  close()
  return sections
}

const isSilent = ({ tagName, properties, children }: Element) =>
  silent.test(tagName) ||
  properties['hidden'] === true ||
  properties['ariaHidden'] === 'true' ||
  properties['dataFootnoteBackref'] !== undefined ||
  ([] as unknown[]).concat(properties['className'] ?? []).some((name) => silentClasses.has(String(name))) ||
  (tagName === 'li' && isEntryOfContents(children))

const isEntryOfContents = (children: readonly ElementContent[]) => {
  const [first, ...rest] = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  return (
    first?.type === 'element' &&
    first.tagName === 'a' &&
    String(first.properties['href'] ?? '').startsWith('#') &&
    rest.every((child) => child.type === 'element' && child.tagName === 'ul')
  )
}
