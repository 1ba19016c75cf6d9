import { useState, type SubmitEvent } from 'react'
import { findErrorAt, findErrorBeside } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextArea } from '#ui/forms/field.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Ago } from '#ui/live/ticking.tsx'

const maxLength = 500

/** Text, last writer, and when they wrote it (ISO 8601). */
type Note = { text: string; by: string; at: string }

type EditorProps = { text: string; save: (note: string) => Promise<unknown>; onClose: () => void }

const NoteEditor = ({ text, save, onClose }: EditorProps) => {
  const [note, setNote] = useState(text)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const failure = findErrorBeside(error, ['note'])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await save(note)
      onClose()
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-3" noValidate>
      <TextArea
        label="Note"
        prose
        maxLength={maxLength}
        dir="auto"
        autoFocus
        value={note}
        onChange={(event) => setNote(event.target.value)}
        error={findErrorAt(error, 'note')}
        hint="Everyone who sees this record can read it. Leave empty to remove it."
      />
      {failure !== null && (
        <Notice tone="failed" role="alert">
          {failure}
        </Notice>
      )}
      <div className="flex gap-2">
        <Button type="submit" busy={busy}>
          Save note
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

type RecordNoteProps = {
  note: Note | null
  refused: string | null
  save: (note: string) => Promise<unknown>
}

export const RecordNote = ({ note, refused, save }: RecordNoteProps) => {
  const [editing, setEditing] = useState(false)
  const edit = (
    <Button refused={refused} onClick={() => setEditing(true)}>
      {note === null ? 'Add note' : 'Edit note'}
    </Button>
  )
  return (
    <Panel title="Note" action={!editing && edit}>
      {editing ? (
        <NoteEditor text={note?.text ?? ''} save={save} onClose={() => setEditing(false)} />
      ) : (
        note && (
          <>
            <p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">
              {note.text}
            </p>
            <p className="mt-2 text-xs text-muted">
              <bdi>{note.by}</bdi>, <Ago at={note.at} />
            </p>
          </>
        )
      )}
    </Panel>
  )
}
