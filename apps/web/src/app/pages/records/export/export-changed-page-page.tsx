import { PageChanges } from '#features/bundles/comparison/page/page-changes.tsx'
import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { PreviewWindow } from '#features/releases/previews/preview-window.tsx'
import { usePreview } from '#features/releases/previews/use-preview.ts'
import { useExport } from './use-export.ts'

const PreviewFrame = ({ exportId, path }: { exportId: string; path: string }) => (
  <PreviewWindow open={usePreview(exportId, path)} />
)

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
