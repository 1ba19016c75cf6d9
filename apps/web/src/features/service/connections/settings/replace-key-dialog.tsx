import type { Connection } from '@docket/api-types/connections'
import { useState } from 'react'
import { ApiError, findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { FormActions, FormFailure, Form } from '#ui/forms/form.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useChangeConnection } from './connections.queries.ts'
import { KeyField } from './key-field.tsx'
import { SaveAnyway } from './save-anyway.tsx'

type ReplaceKeyDialogProps = { connection: Pick<Connection, 'connectionId' | 'name'>; onClose: () => void }

export const ReplaceKeyDialog = ({ connection: { connectionId, name }, onClose }: ReplaceKeyDialogProps) => {
  const change = useChangeConnection()
  const [value, setValue] = useState('')
  const [mistake, setMistake] = useState<ApiError | null>(null)
  const error = mistake ?? change.error
  const save = (anyway: boolean) => {
    const missing = value.trim() === ''
    setMistake(missing ? new ApiError('invalid_request', 'Enter a key.', { field: 'key' }) : null)
    if (missing) return
    change.mutate(
      { connectionId, key: { value }, anyway },
      {
        onSuccess: () => {
          toast(`Replaced the key of ${isolateText(name)}.`, { tone: 'done' })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title={`Replace the key of ${isolateText(name)}`}>
      <Form onSubmit={() => save(false)} busy={change.isPending} error={error} className="grid gap-4">
        <KeyField
          label="Admin key"
          draft={{ value, file: '' }}
          onChange={(draft) => setValue(draft.value)}
          files={null}
          before={null}
          error={findErrorAt(error, 'key')}
          hint="Tested before it is saved."
        />
        <FormFailure error={error} fields={['key']} />
        <FormActions submit="Save" busy={change.isPending} onCancel={onClose}>
          <SaveAnyway error={error} busy={change.isPending} onSave={() => save(true)} />
        </FormActions>
      </Form>
    </Dialog>
  )
}
