import type { StaticExport } from '@docket/api-types/static-exports'
import { useState, type SubmitEvent } from 'react'
import { messageOf } from '#lib/api-error.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { domainOf } from './export-state.ts'
import { useRemoveWithUndo } from './remove-with-undo.ts'
import { useStartExport } from './start/start-context.tsx'
import { useAttach } from './static-exports.queries.ts'

const AttachForm = ({ row, onDone }: { row: StaticExport; onDone: () => void }) => {
  const [jobId, setJobId] = useState('')
  const attach = useAttach()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (jobId.trim() && !attach.isPending)
      attach.mutate({ exportId: row.exportId, jobId: jobId.trim() }, { onSuccess: onDone })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextField
        label="Job id"
        value={jobId}
        onChange={(event) => setJobId(event.target.value)}
        error={attach.error && messageOf(attach.error)}
        hint="Docket reads it once to make sure that it exists."
      />
      <Button type="submit" busy={attach.isPending} className="self-start">
        Attach this id
      </Button>
    </form>
  )
}

/** The three ways on from a start that got no answer. None of them is taken without a click. */
export const UnknownOutcomeDialog = ({
  row,
  open,
  onClose,
}: {
  row: StaticExport
  open: boolean
  onClose: () => void
}) => {
  const { start } = useStartExport()
  const removeRow = useRemoveWithUndo()
  const startAgain = () => {
    onClose()
    start({ domain: row.domain, version: row.version, paths: row.paths, replaces: row.exportId, from: row.exportId })
  }
  const forget = () => {
    onClose()
    removeRow(row)
  }
  return (
    <Dialog open={open} onClose={onClose} title={`Did the export of ${domainOf(row)} start?`}>
      <p className="text-sm text-muted">
        Docket asked the service to start it and no answer came, so it may be running. The service has no list to look
        it up in, and Docket never starts anything twice by itself.
      </p>
      <div className="mt-4 divide-y divide-line border-t border-line [&>section]:py-4 [&>section:last-child]:pb-0">
        <section>
          <h3 className="mb-2 font-semibold">I found its id</h3>
          <AttachForm row={row} onDone={onClose} />
        </section>
        <section>
          <h3 className="font-semibold">Start again</h3>
          <p className="mt-0.5 mb-2 text-sm text-muted">
            If the first one did start, there will be two. That costs work, nothing else.
          </p>
          <Button onClick={startAgain}>Start again</Button>
        </section>
        <section>
          <h3 className="font-semibold">Forget it</h3>
          <p className="mt-0.5 mb-2 text-sm text-muted">
            Takes the row off the list. If the export did start, it runs to its end unseen.
          </p>
          <Button variant="danger" onClick={forget}>
            Forget it
          </Button>
        </section>
      </div>
    </Dialog>
  )
}
