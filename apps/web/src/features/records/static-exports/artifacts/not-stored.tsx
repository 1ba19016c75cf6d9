import type { Artifact } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { describeMissingCopy } from './artifact-labels.ts'
import { useStoreBundleNow } from './artifacts.queries.ts'

const StoreNowButton = ({ row }: { row: StaticExport }) => {
  const store = useStoreBundleNow()
  const refused = useRecordRefusal(row)
  // Storing a bundle fetches it from the service.
  const readOnly = useReadOnly(row)
  const run = () =>
    toastEnd(
      store.mutateAsync(row.exportId),
      `Saving the bundle of ${formatDomain(row)}.`,
      `Could not save the bundle of ${formatDomain(row)}.`,
    )
  return (
    <Button busy={store.isPending} refused={readOnly ?? refused} onClick={run}>
      Save in Docket
    </Button>
  )
}

export const NotStored = ({ row, artifact }: { row: StaticExport; artifact: Artifact }) => {
  const { word, message, canStore } = describeMissingCopy(artifact, row.jobId === null)
  const isUsual = artifact.reason === 'off' || artifact.reason === 'not_asked'
  return (
    <div className="text-sm">
      <StateLabel tone={isUsual ? 'idle' : 'attention'}>{word}</StateLabel>
      {message && (
        <p dir="auto" className="mt-1 wrap-anywhere">
          {message}
        </p>
      )}
      {canStore && (
        <div className="mt-3">
          <StoreNowButton row={row} />
        </div>
      )}
    </div>
  )
}
