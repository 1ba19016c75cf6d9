import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { findErrorAt } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormFailure, TextArea } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Ago } from '#ui/live/ticking.tsx'

const maxLength = 500

/** Text, last writer, and when they wrote it (ISO 8601). */
type Note = { text: string; by: string; at: string }

type EditorProps = { text: string; save: (note: string) => Promise<unknown>; onClose: () => void }

const NoteEditor = ({ text, save, onClose }: EditorProps) => {
  const [note, setNote] = useState(text)
  const { mutate, error, isPending } = useMutation({ mutationFn: save, onSuccess: onClose })
  return (
    <Form onSubmit={() => mutate(note)} busy={isPending} className="grid gap-3">
      <TextArea
        label="Note"
        prose
        maxLength={maxLength}
        dir="auto"
        autoFocus
        {...bindText(note, setNote)}
        error={findErrorAt(error, 'note')}
        hint="Everyone who sees this record can read it. Leave empty to remove it."
      />
      <FormFailure error={error} fields={['note']} />
      <div className="flex gap-2">
        <Button type="submit" busy={isPending}>
          Save note
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

type RecordNoteProps = {
  note: Note | null
  refused: string | null
  save: (note: string) => Promise<unknown>
  plain?: boolean
}

export const RecordNote = ({ note, refused, save, plain }: RecordNoteProps) => {
  const [editing, setEditing] = useState(false)
  const edit = (
    <Button refused={refused} onClick={() => setEditing(true)}>
      {note === null ? 'Add note' : 'Edit note'}
    </Button>
  )
  return (
    <Panel title="Note" action={!editing && edit} {...(plain && { plain })}>
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
