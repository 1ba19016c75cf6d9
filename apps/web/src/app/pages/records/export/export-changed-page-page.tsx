import { PageChanges } from '#features/comparisons/page/page-changes.tsx'
import { PreviewFrame } from '#features/previews/preview-frame.tsx'
import { StoredPart } from '#features/static-exports/artifact/stored-part.tsx'
import { useExport } from './use-export.ts'

/** Words and previews of one page of an export beside another export of its site. */
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
