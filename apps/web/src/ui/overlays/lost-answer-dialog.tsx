import { useState, type ReactNode } from 'react'
import { toMessageAtField } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, TextField } from '#ui/forms/form.tsx'
import { Dialog } from './dialog.tsx'

export type Attaching = { attach: (id: string) => void; busy: boolean; error: unknown; finder?: ReactNode }

const AttachRecordForm = ({ attach, busy, error }: Omit<Attaching, 'finder'>) => {
  const [id, setId] = useState('')
  const submit = () => {
    if (id.trim()) attach(id.trim())
  }
  return (
    <Form onSubmit={submit} busy={busy} className="flex flex-col gap-2">
      <TextField
        label="Job ID"
        {...bindText(id, setId)}
        error={error ? toMessageAtField(error) : null}
        hint="Docket reads it once to check that it exists."
      />
      <Button type="submit" busy={busy} className="self-start">
        Attach this ID
      </Button>
    </Form>
  )
}

type LostAnswerDialogProps = {
  onClose: () => void
  title: string
  children: ReactNode
  attaching: Attaching
  /** Null when the command may not be repeated. */
  again: { name: string; warning: string; run: () => void } | null
  forget: { warning: string; run: () => void }
}

export const LostAnswerDialog = (props: LostAnswerDialogProps) => {
  const { onClose, title, children, attaching, again, forget } = props
  const leave = (run: () => void) => () => {
    onClose()
    run()
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <div className="text-sm text-muted">{children}</div>
      <div className="mt-4 divide-y divide-line border-t border-line [&>section]:py-4 [&>section:last-child]:pb-0">
        <section>
          <h3 className="mb-2 font-semibold">I found its ID</h3>
          <AttachRecordForm {...attaching} />
          {attaching.finder}
        </section>
        {again && (
          <section>
            <h3 className="font-semibold">{again.name}</h3>
            <p className="mt-0.5 mb-2 text-sm text-muted">{again.warning}</p>
            <Button onClick={leave(again.run)}>{again.name}</Button>
          </section>
        )}
        <section>
          <h3 className="font-semibold">Forget it</h3>
          <p className="mt-0.5 mb-2 text-sm text-muted">{forget.warning}</p>
          <Button variant="danger" onClick={leave(forget.run)}>
            Forget it
          </Button>
        </section>
      </div>
    </Dialog>
  )
}
