import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { FilesView } from '#features/records/static-exports/artifacts/contents/files-view.tsx'
import { useExport } from './use-export.ts'

export const ExportFilesPage = () => {
  const row = useExport()
  return (
    row && (
      <StoredPart row={row} what="Files">
        <FilesView row={row} />
      </StoredPart>
    )
  )
}
