import { ChangesView } from '#features/bundles/comparison/changes-view.tsx'
import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { useExport } from './use-export.ts'

export const ExportChangesPage = () => {
  const row = useExport()
  return (
    row && (
      <StoredPart row={row} what="Changes">
        <ChangesView exportId={row.exportId} />
      </StoredPart>
    )
  )
}
