export type Edit = { offset: number; end: number; text: string }

/** Applies edits to a text. Of two that overlap, the one that begins first wins, and then the longer one. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  if (edits.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const { offset, end, text: piece } of edits.toSorted((a, b) => a.offset - b.offset || b.end - a.end)) {
    if (offset < at) continue
    pieces.push(text.slice(at, offset), piece)
    at = end
  }
  return pieces.join('') + text.slice(at)
}
