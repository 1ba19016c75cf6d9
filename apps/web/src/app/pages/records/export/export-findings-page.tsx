import { StoredPart } from '#features/static-exports/artifact/stored-part.tsx'
import { FindingsView } from '#features/findings/findings-view.tsx'
import { useDownloadRefusal } from '#features/static-exports/use-download-refusal.ts'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { useExport } from './use-export.ts'

/** Findings of the check of an export. */
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
