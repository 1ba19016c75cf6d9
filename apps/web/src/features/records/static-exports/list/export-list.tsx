import type { StaticExport, StaticExportGroup } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState, type ReactNode } from 'react'
import { describeExportChange } from '#features/records/static-exports/export-announcements.ts'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import {
  printExportCsvPath,
  exportFiltersQuery,
  toExportId,
  exportListSource,
} from '#features/records/static-exports/static-exports.queries.ts'
import { keepSupportedParams, type ListSearch } from '#lib/address/list-search.ts'
import { ListFrame } from '#ui/list/list-frame.tsx'
import type { ListLook } from '#ui/live-list/live-rows.tsx'
import { MarksContext, noMarks, type ExportMarks } from './export-marks.ts'
import { ExportHead, ExportRow } from './export-row.tsx'

const groups: Record<StaticExportGroup, string> = {
  active: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  refused: 'Refused',
  unknown: 'Unknown outcome',
  gone: 'Not found on service',
}
const sorts = { '': 'Newest first', oldest: 'Oldest first', domain: 'By site' }

export const exportSearch = (search: ListSearch) =>
  keepSupportedParams(search, { groups, sorts, fields: ['domain'], findings: true })

const ExportBulk = lazy(() => import('./export-bulk.tsx').then((module) => ({ default: module.ExportBulk })))
const RemovedExport = lazy(() => import('./removed-export.tsx').then((module) => ({ default: module.RemovedExport })))

const look: ListLook<StaticExport> = {
  heading: 'All exports',
  one: 'export',
  record: 'export of',
  active: 'running',
  getId: toExportId,
  head: <ExportHead />,
  render: (row) => <ExportRow row={row} />,
  renderRemoved: (row) => <RemovedExport row={row} />,
  formatName: formatDomain,
  describeChange: describeExportChange,
  bulk: ExportBulk,
}

type ExportListProps = {
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  views: (place: 'bar' | 'folded') => ReactNode
  empty: ReactNode
  marks: ExportMarks | undefined
}

export const ExportList = ({ search: rawSearch, onSearch, views, empty, marks = noMarks }: ExportListProps) => {
  const search = exportSearch(rawSearch)
  const [choosing, setChoosing] = useState(false)
  const filters = useQuery({ ...exportFiltersQuery(search.connection), enabled: choosing }).data
  return (
    <MarksContext value={marks}>
      <ListFrame
        source={exportListSource(search)}
        search={search}
        onSearch={onSearch}
        filters={{
          what: 'exports',
          groups,
          sorts,
          views,
          field: { name: 'domain', label: 'Site', options: filters?.domains },
          fields: [],
          findings: true,
          onOptions: () => setChoosing(true),
        }}
        look={look}
        csvPath={printExportCsvPath(search)}
        empty={empty}
      />
    </MarksContext>
  )
}
