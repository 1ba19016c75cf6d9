import type { Finding } from '@docket/api-types/artifacts'
import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { reveal } from '#lib/text/reveal.ts'
import { readStored, writeStored } from '#lib/state/storage.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextArea } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { toast } from '#ui/messages/toast.ts'
import type { FindingsSearch } from './findings-search.ts'
import { useAccept } from './findings.queries.ts'

const maxLength = 500

type AcceptDialogProps = { exportId: string; search: FindingsSearch; finding: Finding; onClose: () => void }

/** Asks why a finding is accepted. The reason stays through errors, closing and a reload. */
export const AcceptDialog = ({ exportId, search, finding, onClose }: AcceptDialogProps) => {
  const draftName = `accept-${finding.fingerprint}`
  const [reason, setReason] = useState(() => readStored('session', draftName) ?? '')
  const [isMissing, setMissing] = useState(false)
  const { mutate, isPending, error } = useAccept(exportId, search)
  const change = (text: string) => {
    setReason(text)
    writeStored('session', draftName, text || null)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setMissing(reason.trim() === '')
    if (isPending || reason.trim() === '') return
    mutate(
      { fingerprint: finding.fingerprint, reason },
      {
        onSuccess: () => {
          writeStored('session', draftName, null)
          toast('Accepted for every export of this site.', { tone: 'done' })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Accept this finding?">
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <p className="text-sm text-muted">
          <bdi className="line-clamp-4 text-text wrap-anywhere">{reveal(finding.sentence)}</bdi>
          Docket no longer counts it, in this export or any other of the site.
        </p>
        <TextArea
          label="Reason"
          prose
          required
          maxLength={maxLength}
          data-autofocus
          value={reason}
          onChange={(event) => change(event.target.value)}
          error={errorAt(error, 'reason') ?? (isMissing && reason.trim() === '' ? 'Enter a reason.' : null)}
          hint="Everyone who sees this export can read it."
        />
        <FormFailure error={error} fields={['reason']} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            Accept finding
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
