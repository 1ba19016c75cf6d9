export type NoteKind = 'left-out' | 'broken-link' | 'broken-anchor' | 'missing-file' | 'not-understood'

export type Note = (kind: NoteKind, what: string) => void

export const createOnceNote = (note: Note): Note => {
  const remarks = new Set<string>()
  return (kind, what) => {
    if (!remarks.has(what)) note(kind, what)
    remarks.add(what)
  }
}
