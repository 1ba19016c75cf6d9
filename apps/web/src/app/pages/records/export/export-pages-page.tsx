import { StoredPart } from '#features/static-exports/artifact/stored-part.tsx'
import { PagesView } from '#features/static-exports/artifact/pages-view.tsx'
import { useExport } from './use-export.ts'

/** Pages of an export by folder. */
export const ExportPagesPage = () => {
  const row = useExport()
  return (
    row && (
      <StoredPart row={row} what="Pages">
        <PagesView exportId={row.exportId} />
      </StoredPart>
    )
  )
}
