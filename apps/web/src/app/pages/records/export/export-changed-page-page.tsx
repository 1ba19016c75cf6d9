import { PageChanges } from '#features/bundles/comparison/page/page-changes.tsx'
import { PreviewFrame } from '#features/releases/previews/preview-frame.tsx'
import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { useExport } from './use-export.ts'

export const ExportChangedPagePage = () => {
  const row = useExport()
  return (
    row && (
      <StoredPart row={row} what="Changes">
        <PageChanges exportId={row.exportId} Preview={PreviewFrame} />
      </StoredPart>
    )
  )
}
