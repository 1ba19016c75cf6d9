import { FindingsView } from '#features/bundles/findings/findings-view.tsx'
import { useDownloadRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { useRecordRefusal } from '#ui/connections/connections.tsx'
import { useExport } from './use-export.ts'

export const ExportFindingsPage = () => {
  const row = useExport()
  const refused = useRecordRefusal(row ?? {})
  const fileRefused = useDownloadRefusal(row ?? {})
  return (
    row && (
      <StoredPart row={row} what="Findings">
        <FindingsView exportId={row.exportId} {...{ refused, fileRefused }} />
      </StoredPart>
    )
  )
}
