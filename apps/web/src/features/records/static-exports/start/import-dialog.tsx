import { useState } from 'react'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { useHomeConnection, useImportExport } from '#features/records/static-exports/static-exports.queries.ts'
import { findErrorAt, toMessage } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { bindText, Form, TextField } from '#ui/forms/form.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'

export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const [jobId, setJobId] = useState('')
  const [domain, setDomain] = useState('')
  const [connectionId, setConnection] = useState('')
  const [asked, setAsked] = useState(false)
  const choice = useConnectionChoice(connectionId, false, useHomeConnection(domain))
  const { mutate, isPending, error } = useImportExport()
  const atDomain = findErrorAt(error, 'domain')
  const submit = () => {
    setAsked(choice.missing)
    if (choice.missing || !jobId.trim() || !domain.trim()) return
    mutate(
      { ...choice.body, jobId: jobId.trim(), domain },
      {
        onSuccess: toastDone(
          ({ export: row, domainNotes }) => [`Added the export of ${formatDomain(row)}.`, ...domainNotes].join(' '),
          onClose,
        ),
      },
    )
  }
  return (
    <Dialog onClose={onClose} title="Add by job ID">
      <Form onSubmit={submit} busy={isPending} noValidate={false} className="flex flex-col gap-3">
        <ConnectionField
          choice={choice}
          onChange={setConnection}
          error={(asked && choice.missing ? 'Choose a connection.' : null) ?? findErrorAt(error, 'connectionId')}
        />
        <TextField
          label="Job ID"
          required
          {...bindText(jobId, setJobId)}
          error={error && atDomain === null && findErrorAt(error, 'connectionId') === null ? toMessage(error) : null}
          hint="The job ID the service returned when the export started."
        />
        <TextField
          label="Domain"
          required
          {...bindText(domain, setDomain)}
          error={atDomain}
          hint="The service doesn’t say which site a job belongs to."
        />
        <div className="mt-1 flex justify-end">
          <Button type="submit" variant="primary" busy={isPending}>
            Add export
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
