import type { Connection, ConnectionSettings } from '@docket/api-types/connections'
import { useState } from 'react'
import { isActiveConnection } from '#lib/connections/connections.ts'
import { formatPlural } from '#lib/text/format.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/bidi.ts'
import { SelectField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Form } from '#ui/forms/form.tsx'
import { DeleteDialog } from '#ui/overlays/delete-dialog.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useMoveRecords, useRemoveConnection } from './connections.queries.ts'

export const countRecords = ({ staticExports, agentJobs }: ConnectionSettings['records']): string =>
  `${formatPlural(staticExports, 'export')} and ${formatPlural(agentJobs, 'agent job')}`

type DialogProps = { connection: ConnectionSettings; onClose: () => void }

export const RemoveConnectionDialog = ({ connection: { connectionId, name, records }, onClose }: DialogProps) => {
  const removal = useRemoveConnection()
  const isEmpty = records.staticExports + records.agentJobs === 0
  return (
    <DeleteDialog
      title={`Remove ${isolateText(name)}?`}
      action="Remove connection"
      keep="Keep it"
      deletion={removal}
      onDelete={() => removal.mutateAsync(connectionId)}
      message={`Removed ${isolateText(name)}.`}
      onClose={onClose}
    >
      <p className="text-muted">
        Docket deletes the key and stops calling this service.{' '}
        {isEmpty ? 'It has no records.' : `Its ${countRecords(records)} stay on the lists, read-only.`} You can’t undo
        this. To stop calls for a while, pause the connection instead.
      </p>
    </DeleteDialog>
  )
}

type MoveDialogProps = DialogProps & { connections: readonly Connection[] }

export const MoveRecordsDialog = ({ connection, connections, onClose }: MoveDialogProps) => {
  const { mutate, error, isPending } = useMoveRecords()
  const [to, setTo] = useState('')
  const [asked, setAsked] = useState(false)
  const targets = connections.filter(isActiveConnection)
  const submit = () => {
    setAsked(to === '')
    if (isPending || to === '') return
    mutate(
      { connectionId: connection.connectionId, to },
      {
        onSuccess: () => {
          toast(`Moved ${countRecords(connection.records)}.`, { tone: 'done' })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Move records">
      <Form onSubmit={submit} className="grid gap-4">
        <p className="text-sm text-muted">
          Choose the connection that created these {countRecords(connection.records)}.
        </p>
        <SelectField
          label="Move to"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={asked && to === '' ? 'Choose a connection.' : findErrorAt(error, 'to')}
        >
          <option value="">Choose…</option>
          {targets.map(({ connectionId, name, production }) => (
            <option key={connectionId} value={connectionId}>
              {name}
              {production ? ' (production)' : ''}
            </option>
          ))}
        </SelectField>
        <FormFailure error={error} fields={['to']} />
        <FormActions submit="Move records" busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
