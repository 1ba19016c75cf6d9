import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState, type ReactNode } from 'react'
import { isFiltered, withoutFilters, type ListSearch } from '#lib/address/list-search.ts'
import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ReadState, Skeleton } from '#ui/layout/page.tsx'
import type { ListCounts, ListSource } from '#ui/live-list/live-pages.ts'
import { LiveRows, type Counts, type ListLook } from '#ui/live-list/live-rows.tsx'
import { listLoadedRows } from '#ui/live-list/pages.ts'
import { useLiveList } from '#ui/live-list/use-live-list.ts'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { SelectBox } from '#ui/selection/select-box.tsx'
import { createSelection, SelectionContext, useSelectedCount } from '#ui/selection/selection.ts'
import { FilterBar } from './filter-bar.tsx'
import { LoadMore } from './load-more.tsx'
import type { Filters } from './more-filters.tsx'

const LoadingRows = ({ label }: { label: string }) => (
  <ul className="panel mt-16 divide-y divide-line" aria-busy="true" aria-label={label}>
    {[0, 1, 2].map((line) => (
      <li key={line} className="flex min-h-12 items-center gap-8 px-4">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 flex-1" />
      </li>
    ))}
  </ul>
)

const matchText = ({ count, more }: NonNullable<ListCounts['matching']>) => {
  if (count === 0) return 'none matches'
  return `${more ? 'more than ' : ''}${formatCount(count)} ${count === 1 ? 'matches' : 'match'}`
}

const Heading = ({
  heading,
  active,
  counts,
}: Pick<ListLook<unknown>, 'heading' | 'active'> & { counts: Counts | null }) => (
  <h2 className="text-sm text-muted max-sm:sr-only sm:ml-auto">
    <span className="sr-only">{heading}</span>
    {counts !== null && counts.active > 0 && ` ${formatCount(counts.active)} ${active}`}
    <span role="status">{counts?.matching && ` · ${matchText(counts.matching)}`}</span>
  </h2>
)

const countRows = (counts: Counts | null, filtered: boolean): number => {
  if (!filtered) return counts?.all ?? -1
  return counts?.matching && !counts.matching.more ? counts.matching.count : -1
}

type Listed = { connectionId?: string | undefined; removedAt?: string | null | undefined }

type ListFrameProps<Row> = {
  source: ListSource<Row, Counts>
  look: ListLook<Row>
  /** Address of the CSV file of all that match the filters. */
  csvPath: string
  empty: ReactNode
  filters: Filters
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
}

export const ListFrame = <Row extends Listed>({ source, look, ...props }: ListFrameProps<Row>) => {
  const { csvPath, empty, filters, search, onSearch } = props
  const list = useLiveList(source)
  const { data, goingOn, goOn } = list
  const rows = useMemo(() => listLoadedRows(data), [data])
  useAnnouncedChanges(rows, look.getId, look.describeChange)
  const render = useCallback(
    (row: Row) =>
      row.removedAt ? (
        <Suspense fallback={<div className="min-h-12" />}>{look.renderRemoved(row)}</Suspense>
      ) : (
        <>
          <SelectBox id={look.getId(row)} name={`${look.record} ${look.formatName(row)}`} record={row} />
          {look.render(row)}
        </>
      ),
    [look],
  )
  // React renders the first rows in steps, so that the browser stays responsive.
  const hasRows = data.pages.some(({ size }) => size > 0)
  const isKnown = useDeferredValue(hasRows || data.counts !== null)
  const counts = isKnown ? data.counts : null
  const isThere = isKnown && hasRows
  const filtered = isFiltered(search)
  const isAny = counts !== null && (counts.all > 0 || (counts.removed?.count ?? 0) > 0)
  const [selection] = useState(createSelection)
  // Another filter shows other rows.
  useEffect(() => selection.clear, [selection, data.list])
  const isSelecting = useSelectedCount(selection) > 0
  const { bulk: Bulk } = look
  return (
    <section aria-label={look.heading} className="mt-3 flow-root">
      {counts && (isAny || filtered) && (
        <FilterBar {...filters} {...{ search, onSearch, counts, csvPath }}>
          <Heading heading={look.heading} active={look.active} counts={counts} />
        </FilterBar>
      )}
      <ReadState
        query={isThere || counts !== null ? list : { ...list, data: undefined }}
        waiting={<LoadingRows label={`Loading ${filters.what}`} />}
      />
      {isThere && (
        <SelectionContext value={selection}>
          <LiveRows
            list={list}
            look={look}
            render={render}
            setSize={countRows(counts, filtered)}
            label={look.heading}
            onShown={selection.shown.set}
          />
        </SelectionContext>
      )}
      {!isThere && counts !== null && (
        <div className="panel" aria-busy={list.isPlaceholder}>
          {!filtered && empty}
          {filtered && (
            <div className="px-4 py-10 text-center text-sm text-muted">
              <p className="mb-3">{`No ${look.one} matches these filters.`}</p>
              <Button onClick={() => onSearch(withoutFilters(search))}>Show all {filters.what}</Button>
            </div>
          )}
        </div>
      )}
      <LoadMore
        query={{ hasNextPage: data.next !== null || goingOn, isFetchingNextPage: goingOn, fetchNextPage: goOn }}
      />
      {isSelecting && (
        <Suspense>
          <Bulk selection={selection} />
        </Suspense>
      )}
    </section>
  )
}
