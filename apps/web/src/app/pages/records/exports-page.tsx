import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PackageOpen } from 'lucide-react'
import { replacesHistoryEntry, useListSearch } from '#app/address/use-list-search.ts'
import { headings } from '#app/titles/headings.ts'
import { ViewsMenu } from '#features/people/saved-views/views-menu.tsx'
import { ExportList, exportSearch } from '#features/records/static-exports/list/export-list.tsx'
import { NewExport } from '#features/records/static-exports/start/new-export.tsx'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { useNoService } from '#ui/connections/connections.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { EmptyState } from '#ui/layout/page.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { findExportMarks } from './export-marks.ts'

const NoExports = () =>
  useNoService() ? (
    <NoService />
  ) : (
    <EmptyState icon={<PackageOpen strokeWidth={1.5} />} title="No exports yet">
      An export turns a documentation site into an archive of static files. It keeps running when you close the page.
    </EmptyState>
  )

const { title, about } = headings['/exports']

export const ExportsPage = () => {
  const search = useListSearch()
  const navigate = useNavigate()
  const { data: marks } = useQuery({ ...sitesQuery(usePaused()), select: ({ sites }) => findExportMarks(sites) })
  const noService = useNoService()
  return (
    <>
      <PageHeader title={title} actions={!noService && <NewExport />}>
        {about}
      </PageHeader>
      <ExportList
        search={search}
        views={(place) => <ViewsMenu list="exports" search={exportSearch(search)} place={place} />}
        onSearch={(change) =>
          void navigate({
            to: '/exports',
            search: exportSearch({ ...search, ...change }),
            replace: replacesHistoryEntry(change),
          })
        }
        marks={marks}
        empty={<NoExports />}
      />
    </>
  )
}
