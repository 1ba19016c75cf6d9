import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { PagesView } from '#features/records/static-exports/artifacts/contents/pages-view.tsx'
import { useExport } from './use-export.ts'

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
