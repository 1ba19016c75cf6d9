import type { ConnectionColour, ConnectionSettings, CreateConnection } from '@docket/api-types/connections'
import { useState, useId } from 'react'
import { ApiError, findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { ConnectionDot } from '#ui/connections/connections.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { bindDraft, TextField, Checkbox, FormActions, FormFailure, Form } from '#ui/forms/form.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { countRecords } from './connection-dialogs.tsx'
import {
  needsKeyAgain,
  needsSameService,
  toConnectionChange,
  toAddRequest,
  toConnectionDraft,
  type ConnectionDraft,
} from './connection-draft.ts'
import { useAddConnection, useChangeConnection } from './connections.queries.ts'
import { KeyField } from './key-field.tsx'
import { SaveAnyway } from './save-anyway.tsx'
import { ServiceFields } from './service-fields.tsx'

const colours: readonly { value: ConnectionColour | null; label: string }[] = [
  { value: null, label: 'None' },
  { value: 'grey', label: 'Grey' },
  { value: 'blue', label: 'Blue' },
  { value: 'green', label: 'Green' },
  { value: 'amber', label: 'Amber' },
  { value: 'red', label: 'Red' },
  { value: 'violet', label: 'Violet' },
]

type ColourChoiceProps = { value: ConnectionColour | null; onChange: (value: ConnectionColour | null) => void }

const ColourChoice = ({ value: chosen, onChange }: ColourChoiceProps) => {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1.5">
        {colours.map(({ value, label }) => (
          <label
            key={label}
            className="flex h-8 cursor-pointer items-center gap-2 rounded-md border border-line px-2.5 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              checked={value === chosen}
              onChange={() => onChange(value)}
              className="sr-only"
            />
            <ConnectionDot colour={value} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const atRest = ['name', 'baseUrl', 'key']
const advanced = [
  'readKey',
  'keyPrefix',
  'deploymentKind',
  'callsPerHour',
  'timeoutMs',
  'bundleHosts',
  'keyExpiresOn',
  'headers',
  'clientCertificate',
]

type ConnectionFormProps = {
  connection: ConnectionSettings | null
  keyFiles: readonly string[] | null
  onDone: () => void
}

export const ConnectionDialog = ({ connection, keyFiles, onDone }: ConnectionFormProps) => {
  const [draft, setDraft] = useState(() => toConnectionDraft(connection))
  const [mistake, setMistake] = useState<ApiError | null>(null)
  const [isOpen, setIsOpen] = useState(connection?.source === 'environment')
  const add = useAddConnection()
  const change = useChangeConnection()
  const isPending = add.isPending || change.isPending
  const error = mistake ?? add.error ?? change.error
  const editsService = connection === null || connection.source === 'settings'
  const keyAgain = connection !== null && needsKeyAgain(draft, connection)
  const type = (changes: Partial<ConnectionDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const { text, flag } = bindDraft(draft, type, (name) => findErrorAt(error, name))

  const refused = (refusal: Error) => {
    if (advanced.some((field) => findErrorAt(refusal, field) !== null)) setIsOpen(true)
  }
  const submit = (anyway: boolean) => {
    const request = connection === null ? toAddRequest(draft) : toConnectionChange(draft, connection)
    setMistake(request instanceof ApiError ? request : null)
    if (request instanceof ApiError) return refused(request)
    const onSuccess = toastDone(({ name }: ConnectionSettings) => `Saved ${isolateText(name)}.`, onDone)
    const then = { onSuccess, onError: refused }
    if (connection === null) add.mutate({ ...(request as CreateConnection), anyway }, then)
    else if (Object.keys(request).length === 0) onDone()
    else change.mutate({ ...request, anyway, connectionId: connection.connectionId }, then)
  }

  return (
    <Dialog onClose={onDone} title={connection === null ? 'Add a connection' : `Edit ${isolateText(connection.name)}`}>
      <Form onSubmit={() => submit(false)} busy={isPending} error={error} className="grid gap-4">
        {connection?.source === 'environment' && (
          <Notice tone="idle">Address, key and limits come from Docket’s environment. Change them there.</Notice>
        )}
        <TextField label="Name" data-autofocus {...text('name')} hint="Such as Staging. Shown on every record." />
        {editsService && (
          <>
            <TextField
              label="Address"
              inputMode="url"
              autoCapitalize="none"
              placeholder="https://api.example.com"
              {...text('baseUrl')}
              hint="Address of the Admin API, including its path."
            />
            {connection !== null && needsSameService(draft, connection) && (
              <Choices
                legend="Which service is at the new address?"
                options={[
                  {
                    value: 'same',
                    label: 'The same service moved.',
                    hint: `Docket reads its ${countRecords(connection.records)} at the new address.`,
                  },
                  {
                    value: 'another',
                    label: 'Another service.',
                    hint: `It becomes a connection of its own. Docket removes the old one; its ${countRecords(connection.records)} stay on the lists, read-only.`,
                  },
                ]}
                value={draft.sameService}
                onChange={(sameService) => type({ sameService })}
              />
            )}
            <KeyField
              label="Admin key"
              draft={draft.key}
              onChange={(key) => type({ key })}
              files={keyFiles}
              before={keyAgain ? null : (connection?.key ?? null)}
              hint="Tested before it is saved."
              error={
                findErrorAt(error, 'key') ??
                (keyAgain && draft.key.value === '' && draft.key.file === ''
                  ? 'Enter the key again: address or bundle hosts changed.'
                  : null)
              }
            />
          </>
        )}
        <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary className="w-fit cursor-pointer py-0.5 text-sm font-medium">Advanced</summary>
          <div className="mt-4 grid gap-4">
            {connection?.kind !== 'embedded' && (
              <TextField
                label="Key expires on"
                optional
                type="date"
                {...text('keyExpiresOn')}
                hint="Docket warns you two weeks, one week and one day before."
              />
            )}
            <ColourChoice value={draft.colour} onChange={(colour) => type({ colour })} />
            <Checkbox
              label="Production"
              hint="Marked on every record. Never preselected in forms."
              {...flag('production')}
            />
            <Checkbox
              label="The service lists agent jobs"
              hint="Lets you find jobs started elsewhere."
              {...flag('agentJobList')}
            />
            {editsService && <ServiceFields {...{ draft, type, error, keyFiles, connection }} />}
          </div>
        </details>
        <FormFailure error={error} fields={[...atRest, ...advanced]} />
        <FormActions submit={connection === null ? 'Add connection' : 'Save'} busy={isPending} onCancel={onDone}>
          <SaveAnyway error={error} busy={isPending} onSave={() => submit(true)} />
        </FormActions>
      </Form>
    </Dialog>
  )
}
