import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { useRestoreExport } from '#features/records/static-exports/static-exports.queries.ts'
import { RemovedRow } from '#ui/records/removed-row.tsx'

export const RemovedExport = ({ row }: { row: StaticExport }) => {
  const { mutateAsync, isPending } = useRestoreExport()
  const name = formatDomain(row)
  return (
    <RemovedRow
      record={row}
      label={`Export of ${name}`}
      name={name}
      busy={isPending}
      restore={() => mutateAsync(row.exportId)}
    />
  )
}
