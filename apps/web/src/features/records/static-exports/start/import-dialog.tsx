import { useState, type SubmitEvent } from 'react'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { useHomeConnection, useImportExport } from '#features/records/static-exports/static-exports.queries.ts'
import { findErrorAt, toMessage } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { TextField } from '#ui/forms/form.tsx'
import { toast } from '#ui/messages/toast.ts'

export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const [jobId, setJobId] = useState('')
  const [domain, setDomain] = useState('')
  const [connectionId, setConnection] = useState('')
  const [asked, setAsked] = useState(false)
  const choice = useConnectionChoice(connectionId, false, useHomeConnection(domain))
  const { mutate, isPending, error } = useImportExport()
  const atDomain = findErrorAt(error, 'domain')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setAsked(choice.missing)
    if (isPending || choice.missing || !jobId.trim() || !domain.trim()) return
    mutate(
      { ...choice.body, jobId: jobId.trim(), domain },
      {
        onSuccess: ({ export: row, domainNotes }) => {
          toast([`Added the export of ${formatDomain(row)}.`, ...domainNotes].join(' '), { tone: 'done' })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Add by job ID">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <ConnectionField
          choice={choice}
          onChange={setConnection}
          error={(asked && choice.missing ? 'Choose a connection.' : null) ?? findErrorAt(error, 'connectionId')}
        />
        <TextField
          label="Job ID"
          required
          value={jobId}
          onChange={(event) => setJobId(event.target.value)}
          error={error && atDomain === null && findErrorAt(error, 'connectionId') === null ? toMessage(error) : null}
          hint="The job ID the service returned when the export started."
        />
        <TextField
          label="Domain"
          required
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
          error={atDomain}
          hint="The service doesn’t say which site a job belongs to."
        />
        <div className="mt-1 flex justify-end">
          <Button type="submit" variant="primary" busy={isPending}>
            Add export
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
