import type { Connection, ConnectionSettings, RecordMove } from '@docket/api-types/connections'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createFieldError, findErrorAt, type ApiError } from '#lib/api/api-error.ts'
import { findConnection, isActiveConnection } from '#lib/connections/connections.ts'
import { formatPlural, isolateText } from '#lib/text/format.ts'
import { bindText, Form, FormActions, FormFailure, Options, SelectField } from '#ui/forms/form.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { DeleteDialog, Dialog } from '#ui/overlays/dialog.tsx'
import { recordMoveQuery, useMoveRecords, useRemoveConnection, useChangeConnection } from './connections.queries.ts'
import { KeyField } from './key-field.tsx'
import { SaveAnyway } from './save-anyway.tsx'

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

const countMove = ({ sites, ...records }: RecordMove['stays']): string =>
  `${countRecords(records)}${sites > 0 ? `, with ${formatPlural(sites, 'site')},` : ''}`

const MoveReport = ({ moves, stays, name }: RecordMove & { name: string }) => (
  <div className="grid gap-1 text-sm text-muted">
    <p>
      {countMove(moves)} move.{' '}
      {moves.roles + moves.tokens > 0 &&
        `${formatPlural(moves.roles, 'role')} and ${formatPlural(moves.tokens, 'API token')} will cover ${isolateText(name)}, too.`}
    </p>
    {stays.staticExports + stays.agentJobs + stays.sites > 0 && (
      <p>
        {countMove(stays)} stay, read-only: {isolateText(name)} lists the same jobs or has a site of the same domain.
      </p>
    )}
  </div>
)

type MoveDialogProps = {
  connection: Connection
  connections: readonly Connection[]
  onClose: () => void
}

export const MoveRecordsDialog = ({ connection, connections, onClose }: MoveDialogProps) => {
  const { mutateAsync, error, isPending } = useMoveRecords()
  const { connectionId, name, kind, successorId } = connection
  const [to, setTo] = useState(successorId ?? '')
  const [asked, setAsked] = useState(false)
  const targets = connections.filter(isActiveConnection)
  const preview = useQuery({ ...recordMoveQuery(connectionId, to), enabled: to !== '' })
  const submit = () => {
    setAsked(to === '')
    if (isPending || to === '' || !preview.data) return
    const { moves } = preview.data
    // The card leaves the page with its last record, so the callbacks of `mutate` would be lost.
    void mutateAsync({ connectionId, to }).then(toastDone(`Moved ${countRecords(moves)}.`, onClose), () => undefined)
  }
  return (
    <Dialog onClose={onClose} title={kind === 'unassigned' ? 'Move records' : `Move records of ${isolateText(name)}`}>
      <Form onSubmit={submit} className="grid gap-4">
        <p className="text-sm text-muted">
          Choose the connection {kind === 'unassigned' ? 'that created these records' : 'of the same service'}. Docket
          asks its service about them from then on.
        </p>
        <SelectField
          label="Move to"
          {...bindText(to, setTo)}
          error={asked && to === '' ? 'Choose a connection.' : findErrorAt(error, 'to')}
        >
          <option value="">Choose…</option>
          <Options
            of={targets.map((target) => [
              target.connectionId,
              `${target.name}${target.production ? ' (production)' : ''}`,
            ])}
          />
        </SelectField>
        {to !== '' && preview.data && (
          <MoveReport {...preview.data} name={findConnection(connections, to)?.name ?? ''} />
        )}
        <FormFailure error={error ?? preview.error} fields={['to']} />
        <FormActions submit="Move records" busy={isPending || preview.isLoading} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

type ReplaceKeyDialogProps = { connection: Pick<Connection, 'connectionId' | 'name'>; onClose: () => void }

export const ReplaceKeyDialog = ({ connection: { connectionId, name }, onClose }: ReplaceKeyDialogProps) => {
  const change = useChangeConnection()
  const [value, setValue] = useState('')
  const [mistake, setMistake] = useState<ApiError | null>(null)
  const error = mistake ?? change.error
  const save = (anyway: boolean) => {
    const missing = value.trim() === ''
    setMistake(missing ? createFieldError('key', 'Enter a key.') : null)
    if (missing) return
    change.mutate(
      { connectionId, key: { value }, anyway },
      { onSuccess: toastDone(`Replaced the key of ${isolateText(name)}.`, onClose) },
    )
  }
  return (
    <Dialog onClose={onClose} title={`Replace the key of ${isolateText(name)}`}>
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
