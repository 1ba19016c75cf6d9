/** Kinds of remarks in the export report. */
export type NoteKind = 'left-out' | 'broken-link' | 'broken-anchor' | 'missing-file' | 'not-understood'

/** Adds a remark about the page in progress. */
export type Note = (kind: NoteKind, what: string) => void
