import { useNavigate, useSearch } from '@tanstack/react-router'
import { FilesView } from '#features/records/static-exports/artifacts/contents/files-view.tsx'
import { PagesView } from '#features/records/static-exports/artifacts/contents/pages-view.tsx'
import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { useExport } from './use-export.ts'

const halves = { pages: 'Pages', files: 'Files' } as const

export const ExportContentsPage = () => {
  const row = useExport()
  const navigate = useNavigate({ from: '/exports/$exportId/contents' })
  const show = useSearch({ from: '/inside/exports/$exportId/contents' }).show === 'files' ? 'files' : 'pages'
  return (
    row && (
      <StoredPart row={row} what="Contents">
        <div className="mb-3">
          <PressedButtons
            label="Contents"
            options={halves}
            value={show}
            onChange={(half) => void navigate({ search: half === 'files' ? { show: half } : {} })}
          />
        </div>
        {show === 'files' ? <FilesView row={row} /> : <PagesView exportId={row.exportId} />}
      </StoredPart>
    )
  )
}
