import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { formatExportTitle } from '#app/titles/record-title.ts'
import { StoredPart } from '#features/records/static-exports/artifacts/stored-part.tsx'
import { exportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { PreviewView } from '#features/releases/previews/preview-view.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ReadState, Skeleton } from '#ui/layout/page.tsx'
import { BackLink, Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'

export const ExportPreviewPage = () => {
  const from = '/inside/exports/$exportId/preview'
  const { exportId } = useParams({ from })
  const { path = '/', alone } = useSearch({ from })
  const query = useQuery(exportQuery(exportId, usePaused()))
  const { data: row } = query
  const navigate = useNavigate({ from: '/exports/$exportId/preview' })
  const title = row ? `Preview · ${formatExportTitle(row)}` : null
  useRecordTitle(title)
  const to = '/exports/$exportId/preview'
  return (
    <>
      <BackLink to="/exports/$exportId" params={{ exportId }}>
        ← Export
      </BackLink>
      <PageHeader title={title ?? 'Preview'} />
      {!row && <ReadState query={query} waiting={<Skeleton className="h-[75dvh] w-full" />} />}
      {row && (
        <StoredPart row={row} what="Previews">
          <PreviewView
            exportId={exportId}
            path={path}
            alone={alone === 'true'}
            onPage={(address) => void navigate({ search: (search) => ({ ...search, path: address }) })}
            link={(page, look) =>
              alone === 'true' ? (
                <Link to={to} params={{ exportId }} search={{ path: page }} {...look}>
                  Leave full window
                </Link>
              ) : (
                <Link to={to} params={{ exportId }} search={{ path: page, alone: 'true' }} target="_blank" {...look}>
                  Open in a new tab
                </Link>
              )
            }
          />
        </StoredPart>
      )}
    </>
  )
}
