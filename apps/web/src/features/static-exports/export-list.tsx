import type { StaticExport } from '@docket/api-types/static-exports'
import { useInfiniteQuery } from '@tanstack/react-query'
import { PackageOpen } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { formatPlural } from '#lib/format.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { FilterField } from '#ui/filter-field.tsx'
import { recordList } from '#ui/record-row.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { useStableRows } from '#ui/stable-rows.ts'
import { StaleNotice } from '#ui/stale-notice.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { useExportAnnouncements } from './export-announcements.ts'
import { ExportRow } from './export-row.tsx'
import { domainOf, exportState } from './export-state.ts'
import { exportListQuery } from './static-exports.queries.ts'

const matches = (row: StaticExport, filter: string) =>
  [row.domain, domainOf(row), exportState(row).word, row.jobId, row.version]
    .join(' ')
    .toLowerCase()
    .includes(filter.trim().toLowerCase())

const Loading = () => (
  <ul className="panel divide-y divide-line" aria-busy="true" aria-label="Loading exports">
    {[0, 1, 2].map((line) => (
      <li key={line} className="flex min-h-[4.5rem] items-center gap-8 px-4 py-3">
        <div className="flex-1 space-y-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3.5 w-28" />
        </div>
        <Skeleton className="hidden h-1.5 flex-1 md:block" />
        <Skeleton className="h-8 w-24" />
      </li>
    ))}
  </ul>
)

const idOf = (row: StaticExport) => row.exportId

const Rows = ({ rows }: { rows: readonly StaticExport[] }) => {
  const { places, waiting, release, hold } = useStableRows(rows, idOf)
  return (
    <div className="relative">
      {waiting > 0 && (
        <div className="absolute inset-x-0 -top-4 z-10 flex justify-center">
          <Button size="sm" onClick={release} className="shadow-float">
            {`Show ${formatPlural(waiting, 'new export')}`}
          </Button>
        </div>
      )}
      <ul className={recordList} aria-label="Exports" {...hold}>
        {places.map(({ id, row, last }) => (
          <li key={id} className={row ? '' : 'opacity-40'}>
            {row ? (
              <ExportRow row={row} />
            ) : (
              <p className="flex min-h-[4.5rem] items-center px-4 text-sm text-muted">{domainOf(last)} was removed</p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type ExportListProps = { filter: string; onFilter: (filter: string) => void; whenEmpty?: ReactNode }

/** All exports, newest first, kept fresh, with a filter over the loaded ones. */
export const ExportList = ({ filter, onFilter, whenEmpty }: ExportListProps) => {
  const { data, error, dataUpdatedAt, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    exportListQuery(usePaused()),
  )
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  const shown = useMemo(() => rows?.filter((row) => matches(row, filter)), [rows, filter])
  useExportAnnouncements(rows)
  const counts = data?.pages[0]?.counts
  return (
    <section aria-labelledby="exports-heading" className="mt-7">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="exports-heading" className="text-base font-semibold">
          All exports
          {counts && (
            <span className="ml-2 font-normal text-muted">
              {counts.all}
              {counts.active > 0 && `, ${counts.active} running`}
            </span>
          )}
        </h2>
        {rows && rows.length > 0 && <FilterField label="Filter exports" value={filter} onChange={onFilter} />}
      </div>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!shown && !error && <Loading />}
      {rows?.length === 0 && (
        <div className="panel">
          <EmptyState icon={<PackageOpen strokeWidth={1.5} />} title="No exports yet" action={whenEmpty}>
            An export turns a documentation site into one archive of plain files. Start one above; it stays on this
            list, also when you close the page.
          </EmptyState>
        </div>
      )}
      {shown && shown.length > 0 && <Rows rows={shown} />}
      {rows && rows.length > 0 && shown?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">
          None of the {formatPlural(rows.length, 'loaded export')} matches “{filter}”.
        </p>
      )}
      {hasNextPage && (
        <div className="mt-4 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </section>
  )
}
