import { StoredPart } from '#features/static-exports/artifact/stored-part.tsx'
import { FilesView } from '#features/static-exports/artifact/files-view.tsx'
import { useExport } from './use-export.ts'

/** Files of an export. */
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
