import { useQuery } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { exportFiltersQuery, lastExportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'
import { Loading } from '#ui/layout/page.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { StartExportForm } from './start-export-form.tsx'

type NewExportDialogProps = { suggestions: readonly string[]; onClose: () => void }

export const NewExportDialog = ({ suggestions, onClose }: NewExportDialogProps) => {
  const last = useQuery(lastExportQuery(useChosenConnection()))
  const isKnown = last.isFetched || last.failureCount > 0
  const { data: known } = useQuery(exportFiltersQuery(''))
  const domains = [...new Set([...suggestions, ...(known?.domains ?? [])])]
  return (
    // The dialog focuses the field when it opens.
    <Dialog key={String(isKnown)} onClose={onClose} title="New export">
      {isKnown ? (
        <StartExportForm
          suggestions={suggestions}
          domains={domains}
          domain={last.data ?? suggestions[0]}
          onStarted={(row) => {
            flushSync(onClose)
            // Not back to the button, which another Enter would press.
            document.querySelector('main')?.focus({ preventScroll: true })
            if (row.state === 'starting' || row.state === 'accepted') toast(`Exporting ${formatDomain(row)}.`)
          }}
        />
      ) : (
        <Loading lines={['h-9 w-full']} />
      )}
    </Dialog>
  )
}
