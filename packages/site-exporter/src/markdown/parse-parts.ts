import { voidElements } from '@docket/mdx-language/astro-markup'
import type { ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { findExcess, maxCost, measureCost } from '#markdown/limits/page-cost.ts'
import { pageTimeMs } from '@docket/sources/within-time'
import type { Note } from './page-notes.ts'
import { parsePage, type PageKind } from './parse-page.ts'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'

/** Parses a page into unsafe elements, a large one in parts. A part that costs too much becomes text; throws if all of them do. */
export const parseParts = (source: string, kind: PageKind, note: Note): Root => {
  const parts = splitPage(source, maxCost)
  if (parts.length > maxParts) throw new Error(`it has more than ${maxParts} parts of the largest size`)
  const problems = parts.map((part) => findExcess(part))
  const [first] = problems.filter((problem) => problem !== null)
  if (first !== undefined && problems.every((problem) => problem !== null)) throw new Error(first)
  if (first !== undefined) note('not-understood', `one of its parts is shown as plain text: ${first}`)
  // The plain text is that of the whole page, so a part cannot use it.
  const inPart = parts.length === 1 ? kind : { ...kind, pieces: { ...kind.pieces, plainBody: null } }
  const children = parts.flatMap((part, index): Root['children'] =>
    problems[index] === null ? parsePage(part, inPart, note).children : [h('pre', part) as ElementContent],
  )
  return { type: 'root', children }
}

/** Time limit for a page: a large one gets the time of several pages. Milliseconds. */
export const findTimeLimit = (source: string): number =>
  pageTimeMs * Math.min(maxParts, 1 + Math.floor(measureCost(source) / maxCost))

/** Maximum parts of one page. A larger page is not parsed. */
const maxParts = 25
const wanted = 10_000
const maxDefinitions = 200

const definition = /^ {0,3}\[[^\]^][^\]]{0,200}\]:[ \t]*\S/
const footnote = /^ {0,3}\[\^[^\]]+\]:/m
const tag = /<(\/?)([A-Za-z][\w.:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/g
const inlineCode = /`+[^`]*`+/g

/** Splits a costly page before headings or elements at the start of a line where no element is open. Does not split a page with footnotes, which belong to the whole page. */
export const splitPage = (source: string, maxCost: number): string[] => {
  if (measureCost(source) <= maxCost || footnote.test(source)) return [source]
  const isCode = createCodeLineTest()
  const parts: string[][] = [[]]
  const definitions: string[] = []
  let [cost, open] = [0, 0]
  let isAfterBlank = true
  for (const line of source.split(/\r\n?|\n/)) {
    const code = isCode(line)
    if (!code && cost > wanted && open <= 0 && isAfterBlank && /^(#{1,6}[ \t]|<[A-Za-z])/.test(line)) {
      parts.push([])
      cost = 0
      open = 0
    }
    parts.at(-1)!.push(line)
    cost += measureCost(line)
    if (!code) {
      open += countOpened(line)
      if (definition.test(line) && definitions.length < maxDefinitions) definitions.push(line)
    }
    isAfterBlank = line.trim() === ''
  }
  const shared = definitions.length > 0 ? `\n\n${definitions.join('\n')}\n` : ''
  return parts.map((lines) => lines.join('\n') + (parts.length > 1 ? shared : ''))
}

const countOpened = (line: string) => {
  let opened = 0
  for (const [, slash, name = '', attributes = ''] of line.replace(inlineCode, '').matchAll(tag))
    opened += slash ? -1 : attributes.endsWith('/') || voidElements.test(name) ? 0 : 1
  return opened
}
