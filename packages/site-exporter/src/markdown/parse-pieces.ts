import type { ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { findExcess, maxCost, measureCost } from '#markdown/limits/page-cost.ts'
import { maxPieces, splitPage } from '#markdown/limits/page-pieces.ts'
import { pageTimeMs } from '#markdown/limits/within-time.ts'
import type { Note } from './page-notes.ts'
import { parsePage, type PageKind } from './parse-page.ts'

/**
 * Parses a page into unsafe elements, a large one piece by piece. A piece that costs too much becomes text. Throws if all of them do.
 */
export const parsePieces = (source: string, kind: PageKind, note: Note): Root => {
  const pieces = splitPage(source, maxCost)
  if (pieces.length > maxPieces) throw new Error(`it has more than ${maxPieces} parts of the largest size`)
  const problems = pieces.map(findExcess)
  const [first] = problems.filter((problem) => problem !== null)
  if (first !== undefined && problems.every((problem) => problem !== null)) throw new Error(first)
  if (first !== undefined) note('not-understood', `one of its parts is shown as plain text: ${first}`)
  // The plain text of a whole page stands for none of its parts.
  const inPiece = pieces.length === 1 ? kind : { ...kind, pieces: { ...kind.pieces, plainBody: null } }
  const children = pieces.flatMap((piece, index): Root['children'] =>
    problems[index] === null ? parsePage(piece, inPiece, note).children : [h('pre', piece) as ElementContent],
  )
  return { type: 'root', children }
}

/** Time limit for a page: a large one has as much as that many pages. Milliseconds. */
export const findTimeLimit = (source: string): number =>
  pageTimeMs * Math.min(maxPieces, 1 + Math.floor(measureCost(source) / maxCost))
