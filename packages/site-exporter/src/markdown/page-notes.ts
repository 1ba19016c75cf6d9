/** Kinds of remarks in the export report: something of the source is not in the export, or was broken before. */
export type NoteKind = 'left-out' | 'broken-link' | 'broken-anchor' | 'missing-file' | 'not-understood'

/** Adds one remark about the page that is being rendered. */
export type Note = (kind: NoteKind, what: string) => void
