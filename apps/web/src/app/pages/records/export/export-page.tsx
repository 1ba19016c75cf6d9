import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useParams } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { formatExportTitle } from '#app/titles/record-title.ts'
import { PublishButton } from '#features/releases/sites/export-publishing.tsx'
import { ExportFrame } from '#features/records/static-exports/details/export-frame.tsx'
import { exportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { BackLink } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { ExportTabs } from './export-tabs.tsx'

export const ExportPage = () => {
  const { exportId } = useParams({ from: '/inside/exports/$exportId' })
  const { data: row } = useQuery(exportQuery(exportId, usePaused()))
  const part = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  useRecordTitle(row ? [part !== 'Export' && part, formatExportTitle(row)].filter(Boolean).join(' · ') : null)
  return (
    <>
      <BackLink to="/exports">← Exports</BackLink>
      <ExportFrame
        key={exportId}
        exportId={exportId}
        tabs={(shown) => <ExportTabs row={shown} />}
        actions={(shown) => shown.artifact?.state === 'stored' && <PublishButton row={shown} />}
      >
        <Outlet />
      </ExportFrame>
    </>
  )
}
