import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { useRestore } from '#features/records/static-exports/static-exports.queries.ts'
import { RemovedRow } from '#ui/records/removed-row.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'

/** A removed export. */
export const RemovedExport = ({ row }: { row: StaticExport }) => {
  const restore = useRestore()
  const name = formatDomain(row)
  const onRestore = () =>
    void restore
      .mutateAsync(row.exportId)
      .then(() => toast(`Restored ${name}.`, { tone: 'done' }), toastFailure(`Could not restore ${name}.`))
  return (
    <RemovedRow record={row} label={`Export of ${name}`} name={name} busy={restore.isPending} onRestore={onRestore} />
  )
}
