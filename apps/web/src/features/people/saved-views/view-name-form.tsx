import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'

type ViewNameFormProps = {
  initialName?: string
  error: unknown
  busy: boolean
  onSave: (name: string) => void
  onCancel: () => void
}

export const ViewNameForm = ({ initialName = '', error, busy, onSave, onCancel }: ViewNameFormProps) => {
  const [name, setName] = useState(initialName)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!busy) onSave(name)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-2 p-2">
      <TextField
        label="Name of the view"
        autoFocus
        dir="auto"
        maxLength={80}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={errorAt(error, 'name')}
      />
      <FormFailure error={error} fields={['name']} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  )
}
