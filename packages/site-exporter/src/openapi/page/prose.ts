import { toText } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { walkTree } from '#markdown/walk-tree.ts'
import { removeUnlisted } from '#markdown/allow-list.ts'
import { renderComponents } from '#markdown/components/components.ts'
import type { Words } from '#site/words.ts'
import type { Note } from '#markdown/page-notes.ts'
import { createEmptyPieces } from '#markdown/mdx/page-pieces.ts'
import { parsePage } from '#markdown/parse-page.ts'

type ProseContext = { note: Note; words: Words }

/** Maximum length of a short description. Characters. */
const maxShort = 4_000

type Rendered = { content: ElementContent[]; notes: Parameters<Note>[] }

/** Rendered descriptions as JSON, by language and text: documents repeat most of theirs, and parsing is half of the work on a large one. */
const kept = new Map<string, string>()
const maxKept = 32 * 1024 * 1024
let keptLength = 0

/** Renders a Markdown description with the sanitizer of pages. */
export const renderProse = (value: unknown, { note, words }: ProseContext): ElementContent[] => {
  const text = toText(value)
  if (text === null) return []
  // Fast path: most descriptions are one plain sentence, and a page may have hundreds.
  if (plain.test(text) && !marked.test(text)) return [h('p', text)]
  const known = kept.get(`${words.lang} ${text}`) ?? keepText(text, words)
  const { content, notes } = JSON.parse(known) as Rendered
  for (const remark of notes) note(...remark)
  return content
}

const keepText = (text: string, words: Words): string => {
  const notes: Rendered['notes'] = []
  const note: Note = (...remark) => void notes.push(remark)
  const kind = { isMdx: false, formulas: 'none', pieces: createEmptyPieces() } as const
  const tree = renderComponents(removeUnlisted(parsePage(text, kind, note), note), note, words)
  const rendered = JSON.stringify({ content: tree.children, notes }, (key, value: unknown) =>
    key === 'position' ? undefined : value,
  )
  if (keptLength > maxKept) kept.clear()
  keptLength = kept.size === 0 ? 0 : keptLength
  keptLength += text.length + rendered.length
  kept.set(`${words.lang} ${text}`, rendered)
  return rendered
}

/** Renders a description without headings, which would appear in the table of contents. */
export const renderShortProse = (value: unknown, context: ProseContext): ElementContent[] => {
  const content = renderProse(toText(value)?.slice(0, maxShort).toWellFormed(), context)
  walkTree({ type: 'root', children: content }, 'element', (node: Element) => {
    if (/^h[1-6]$/.test(node.tagName)) Object.assign(node, h('p', [h('strong', node.children)]))
  })
  return content
}

const plain = /^[\p{L}\p{M}\p{N} .,;:!?()'"%/=+-]+$/u
const marked = /^(?:[-+]|\d+[.)]) |:\/\/|www\.|^[-=]+$/
