import { getRouteApi } from '@tanstack/react-router'
import { useStatus } from '#features/connection/connection.queries.ts'
import { ExportList } from '#features/static-exports/export-list.tsx'
import { StartExportForm } from '#features/static-exports/start/start-export-form.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { OneClickExport } from './one-click-export.tsx'

const route = getRouteApi('/exports')

/** Start form on top, every export below. */
export const ExportsPage = () => {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useStatus()
  const domains = data?.local?.domains ?? []
  return (
    <>
      <PageHeader title="Exports">A documentation site as one archive of static files.</PageHeader>
      <StartExportForm suggestions={domains} />
      <ExportList
        filter={q}
        onFilter={(next) => void navigate({ search: next ? { q: next } : {}, replace: true })}
        whenEmpty={domains[0] && <OneClickExport domain={domains[0]} />}
      />
    </>
  )
}
