/** Kinds of remarks in the export report. */
export type NoteKind = 'left-out' | 'broken-link' | 'broken-anchor' | 'missing-file' | 'not-understood'

/** Adds a remark about the page in progress. */
export type Note = (kind: NoteKind, what: string) => void

/** Passes each remark on once. */
export const once = (note: Note): Note => {
  const remarks = new Set<string>()
  return (kind, what) => {
    if (!remarks.has(what)) note(kind, what)
    remarks.add(what)
  }
}
