import { useNavigate } from '@tanstack/react-router'
import { headings } from '#app/titles/headings.ts'
import { replacesHistoryEntry, useListSearch } from '#app/address/use-list-search.ts'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { ExportList, exportSearch } from '#features/records/static-exports/list/export-list.tsx'
import { StartExportForm } from '#features/records/static-exports/start/start-export-form.tsx'
import { useNoService } from '#ui/connections/use-connections.ts'
import { ViewsMenu } from '#features/people/saved-views/views-menu.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { PackageOpen } from 'lucide-react'
import { NoService } from '#features/service/connections/no-service.tsx'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { OneClickExport } from './one-click-export.tsx'

const NoExports = ({ domain }: { domain: string | undefined }) =>
  useNoService() ? (
    <NoService />
  ) : (
    <EmptyState
      icon={<PackageOpen strokeWidth={1.5} />}
      title="No exports yet"
      action={domain && <OneClickExport domain={domain} />}
    >
      An export turns a documentation site into an archive of static files. Start one above; it keeps running when you
      close the page.
    </EmptyState>
  )

const { title, about } = headings['/exports']

export const ExportsPage = () => {
  const search = useListSearch()
  const navigate = useNavigate()
  const local = useLocalService()
  const noService = useNoService()
  const domains = local === undefined ? undefined : (local?.domains ?? [])
  return (
    <>
      <PageHeader title={title}>{about}</PageHeader>
      {!noService && <StartExportForm suggestions={domains} />}
      <ExportList
        search={search}
        views={<ViewsMenu list="exports" search={exportSearch(search)} />}
        onSearch={(change) =>
          void navigate({
            to: '/exports',
            search: exportSearch({ ...search, ...change }),
            replace: replacesHistoryEntry(change),
          })
        }
        empty={<NoExports domain={domains?.[0]} />}
      />
    </>
  )
}
