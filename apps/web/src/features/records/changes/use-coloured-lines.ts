import type { DiffLine } from '@docket/api-types/changes'
import { useEffect, useState } from 'react'
import { isRemark, lineText } from './diff-rows.ts'
import type { Segment } from './highlight.ts'

/** Coloured parts of lines. A line that is missing has no colours. */
export type Colours = ReadonlyMap<DiffLine, readonly Segment[]>

const none: Colours = new Map()

/** Colours `lines`, once the grammars are loaded. Until then, and for unknown languages, the map is empty. */
export const useColouredLines = (path: string, lines: readonly DiffLine[]): Colours => {
  const [colours, setColours] = useState(none)
  useEffect(() => {
    let isCurrent = true
    const colour = async () => {
      const { highlightLines } = await import('./highlight.ts')
      const found = new Map<DiffLine, readonly Segment[]>()
      // A grammar has to see the text before and after apart, hunk by hunk.
      for (const hunk of splitHunks(lines))
        for (const side of ['removed', 'added'] as const) {
          const own = hunk.filter((line) => line.kind === side || (line.kind === 'same' && !isRemark(line)))
          const coloured = await highlightLines(path, own.map(lineText))
          for (const [at, segments] of coloured.entries()) found.set(own[at]!, segments)
        }
      if (isCurrent) setColours(found)
    }
    // Without the grammars, the text stays plain.
    void colour().catch(() => {})
    return () => void (isCurrent = false)
  }, [path, lines])
  return colours
}

const splitHunks = (lines: readonly DiffLine[]): DiffLine[][] => {
  const hunks: DiffLine[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'hunk') hunks.push([])
    else hunks.at(-1)!.push(line)
  }
  return hunks
}
