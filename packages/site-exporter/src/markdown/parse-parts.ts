import type { ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { findExcess, maxCost, measureCost } from '#markdown/limits/page-cost.ts'
import { maxParts, splitPage } from '#markdown/limits/page-parts.ts'
import { pageTimeMs } from '#markdown/limits/within-time.ts'
import type { Note } from './page-notes.ts'
import { parsePage, type PageKind } from './parse-page.ts'

/**
 * Parses a page into unsafe elements, a large one part by part. A part that costs too much becomes text. Throws if all of them do.
 */
export const parseParts = (source: string, kind: PageKind, note: Note): Root => {
  const parts = splitPage(source, maxCost)
  if (parts.length > maxParts) throw new Error(`it has more than ${maxParts} parts of the largest size`)
  const problems = parts.map(findExcess)
  const [first] = problems.filter((problem) => problem !== null)
  if (first !== undefined && problems.every((problem) => problem !== null)) throw new Error(first)
  if (first !== undefined) note('not-understood', `one of its parts is shown as plain text: ${first}`)
  // The plain text of a whole page stands for none of its parts.
  const inPart = parts.length === 1 ? kind : { ...kind, pieces: { ...kind.pieces, plainBody: null } }
  const children = parts.flatMap((part, index): Root['children'] =>
    problems[index] === null ? parsePage(part, inPart, note).children : [h('pre', part) as ElementContent],
  )
  return { type: 'root', children }
}

/** Time limit for a page: a large one has as much as that many pages. Milliseconds. */
export const findTimeLimit = (source: string): number =>
  pageTimeMs * Math.min(maxParts, 1 + Math.floor(measureCost(source) / maxCost))
