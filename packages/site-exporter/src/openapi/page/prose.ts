import { toText } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { visit } from 'unist-util-visit'
import { onlyAllowed } from '#markdown/allow-list.ts'
import { renderComponents } from '#markdown/components.ts'
import type { Note } from '#markdown/page-notes.ts'
import { parsePage } from '#markdown/parse-page.ts'

/** Longest description of a parameter, property or response. Characters. */
const maxShort = 4_000

/** Descriptions are Markdown. They go the way of all pages: parsed, never run, and closed by the same list of what is allowed. */
export const renderProse = (value: unknown, note: Note): ElementContent[] => {
  const text = toText(value)
  if (text === null) return []
  // Most are one plain sentence, and a page may have hundreds.
  if (plain.test(text) && !marked.test(text)) return [h('p', text)]
  return renderComponents(onlyAllowed(parsePage(text, false, note), note)).children as ElementContent[]
}

/** The same for one of many parts of a page: its headings stay out of the table of contents. */
export const renderShortProse = (value: unknown, note: Note): ElementContent[] => {
  const content = renderProse(toText(value)?.slice(0, maxShort).toWellFormed(), note)
  visit({ type: 'root', children: content }, 'element', (node: Element) => {
    if (/^h[1-6]$/.test(node.tagName)) Object.assign(node, h('p', [h('strong', node.children)]))
  })
  return content
}

const plain = /^[\p{L}\p{M}\p{N} .,;:!?()'"%/=+-]+$/u
/** A list, or an address that becomes a link. */
const marked = /^(?:[-+]|\d+[.)]) |:\/\/|www\.|^[-=]+$/
