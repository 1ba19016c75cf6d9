import type { StaticExport, StaticExportGroup } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import {
  exportCsvPath,
  exportFiltersQuery,
  toExportId,
  exportListSource,
} from '#features/records/static-exports/static-exports.queries.ts'
import { keepSupported, type ListSearch } from '#lib/address/list-search.ts'
import { ListFrame } from '#ui/list/list-frame.tsx'
import { loadedRows } from '#ui/live-list/pages.ts'
import { useLiveList } from '#ui/live-list/use-live-list.ts'
import { SelectBox } from '#ui/selection/select-box.tsx'
import { ExportRow } from './export-row.tsx'

const groupNames: Record<StaticExportGroup, string> = {
  active: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  refused: 'Refused',
  unknown: 'Unknown outcome',
  gone: 'Not found on service',
}
const groups = Object.entries(groupNames).map(([value, label]) => ({ value, label }))
const sortNames = { '': 'Newest first', oldest: 'Oldest first', domain: 'By domain' }
const sorts = Object.entries(sortNames).map(([value, label]) => ({ value, label }))
const searchOptions = {
  groups: groupNames,
  sorts: sortNames,
  fields: ['domain'],
  findings: true,
} as const

export const exportSearch = (search: ListSearch) => keepSupported(search, searchOptions)

const ExportBulk = lazy(() => import('./export-bulk.tsx').then((module) => ({ default: module.ExportBulk })))
const RemovedExport = lazy(() => import('./removed-export.tsx').then((module) => ({ default: module.RemovedExport })))

const render = (row: StaticExport) =>
  row.removedAt ? (
    <Suspense fallback={<div className="min-h-18" />}>
      <RemovedExport row={row} />
    </Suspense>
  ) : (
    <>
      <SelectBox id={toExportId(row)} name={`export of ${formatDomain(row)}`} record={row} />
      <ExportRow row={row} />
    </>
  )

type ExportListProps = {
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  views: ReactNode
  empty: ReactNode
}

export const ExportList = ({ search: rawSearch, onSearch, views, empty }: ExportListProps) => {
  const search = exportSearch(rawSearch)
  const list = useLiveList(exportListSource(search))
  const { data } = list
  const rows = useMemo(() => loadedRows(data), [data])
  useExportAnnouncements(rows)
  const [choosing, setChoosing] = useState(false)
  const filters = useQuery({ ...exportFiltersQuery(search.connection), enabled: choosing }).data
  return (
    <ListFrame
      list={list}
      search={search}
      onSearch={onSearch}
      filters={{
        what: 'exports',
        groups,
        sorts,
        views,
        fields: [{ name: 'domain', label: 'Domain', options: filters?.domains }],
        findings: true,
        onOptions: () => setChoosing(true),
      }}
      look={{
        heading: 'All exports',
        one: 'export',
        active: 'running',
        getId: toExportId,
        render,
        formatName: formatDomain,
        bulk: ExportBulk,
        csvPath: exportCsvPath(search),
        empty,
      }}
    />
  )
}
