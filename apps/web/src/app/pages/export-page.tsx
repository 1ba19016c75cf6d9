import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRecordTitle } from '#app/page-title.ts'
import { exportTitle } from '#app/record-title.ts'
import { lazy, Suspense } from 'react'
import { RecordHistory } from '#features/history/record-history.tsx'
import { ExportDetails } from '#features/static-exports/export-details.tsx'
import { isRunning } from '#features/static-exports/export-state.ts'
import { exportQuery } from '#features/static-exports/static-exports.queries.ts'
import { Link } from '#ui/link.tsx'
import { usePaused } from '#ui/use-paused.ts'

const ExportTimeline = lazy(() =>
  import('#features/history/export-timeline.tsx').then((module) => ({ default: module.ExportTimeline })),
)

/** One export and its history. */
export const ExportPage = () => {
  const { exportId } = useParams({ from: '/inside/exports/$exportId' })
  const { data: row } = useQuery(exportQuery(exportId, usePaused()))
  useRecordTitle(row ? exportTitle(row) : null)
  return (
    <>
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link to="/exports" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Exports
        </Link>
      </nav>
      <ExportDetails
        key={exportId}
        exportId={exportId}
        timeline={<Suspense>{row && <ExportTimeline exportId={exportId} live={isRunning(row)} />}</Suspense>}
        history={
          row && (
            <RecordHistory
              record={{ type: 'static_export', exportId }}
              subject="export"
              live={isRunning(row)}
              stamp={`${row.state} ${row.status} ${row.goneAt}`}
            />
          )
        }
      />
    </>
  )
}
