import { useDeferredValue, useMemo, useRef, type ReactNode } from 'react'
import { formatCount, formatPlural } from '#lib/format.ts'
import { isFiltered, withoutFilters, type ListSearch } from '#lib/list-search.ts'
import { Button } from '#ui/button.tsx'
import { useStableRows } from '#ui/stable-rows.ts'
import { StaleNotice } from '#ui/stale-notice.tsx'
import { FilterBar, type Filters } from './filter-bar.tsx'
import { LoadingRows } from './loading-rows.tsx'
import { placesOf } from './places.ts'
import { useHeld } from './use-held.ts'
import { useKeptPlace } from './use-kept-place.ts'
import type { ListCounts, useTiledList } from './use-tiled-list.ts'
import { VirtualRows } from './virtual-rows.tsx'

type Counts = ListCounts & { attention: number; groups: Record<string, number> }
type TiledList<Row> = ReturnType<typeof useTiledList<Row, Counts>>

/** What a list is called and how its rows look. */
export type ListLook<Row> = {
  heading: string
  /** Such as `export`; `exports` for several. */
  one: string
  /** What an active record does, such as `running`. */
  active: string
  idOf: (row: Row) => string
  render: (row: Row) => ReactNode
  nameOf: (row: Row) => string
  /** Shown while there is nothing at all. */
  empty: ReactNode
}

const matchText = ({ count, more }: NonNullable<ListCounts['matching']>) =>
  more ? `more than ${formatCount(count)} match` : `${formatCount(count)} ${count === 1 ? 'matches' : 'match'}`

const Heading = ({
  heading,
  active,
  counts,
}: Pick<ListLook<unknown>, 'heading' | 'active'> & { counts: Counts | null }) => (
  <h2 className="mb-3 text-base font-semibold">
    {heading}
    {counts && (
      <span className="ml-2 font-normal text-muted">
        {formatCount(counts.all)}
        {counts.active > 0 && `, ${formatCount(counts.active)} ${active}`}
      </span>
    )}
    <span role="status" className="font-normal text-muted">
      {counts?.matching && ` · ${matchText(counts.matching)}`}
    </span>
  </h2>
)

type RowsProps<Row> = { list: TiledList<Row>; look: ListLook<Row>; setSize: number; label: string }

/** How many rows before the end the next part is asked for. */
const ahead = 25

const Rows = <Row,>({ list: { query, goOn, show }, look, setSize, label }: RowsProps<Row>) => {
  const { idOf, nameOf, render, one } = look
  const tiles = query.data!
  const fresh = useMemo(() => placesOf(tiles, idOf), [tiles, idOf])
  const listRef = useRef<HTMLDivElement>(null)
  const start = useRef<HTMLDivElement>(null)
  const { held, hold } = useHeld(listRef, start)
  const { places, waiting, release } = useStableRows(tiles.list, fresh, held)
  // A key that is pressed meanwhile is painted first.
  const shown = useDeferredValue(places)
  useKeptPlace(tiles)
  const onView = (first: number, last: number) => {
    show(new Set(shown.slice(first, last + 1).map(({ part }) => (part === '' ? null : part))))
    if (last >= shown.length - ahead) goOn()
  }
  return (
    <div
      className={`relative transition-opacity ${query.isPlaceholderData ? 'opacity-60' : ''}`}
      aria-busy={query.isPlaceholderData}
    >
      <div ref={start} />
      {waiting > 0 && (
        <div className="sticky top-15 z-10 flex h-0 justify-center lg:top-3">
          <Button
            className="-mt-4 shadow-float"
            onClick={() => {
              release()
              if ((start.current?.getBoundingClientRect().top ?? 0) < 0)
                start.current?.scrollIntoView({ block: 'center' })
            }}
          >
            {`Show ${formatPlural(waiting, `new ${one}`)}`}
          </Button>
        </div>
      )}
      <VirtualRows
        label={label}
        places={shown}
        setSize={setSize}
        listRef={listRef}
        onView={onView}
        render={render}
        gone={(last) => `${nameOf(last)} is no longer on this list`}
        {...hold}
      />
    </div>
  )
}

const sizeOf = (counts: Counts | null, filtered: boolean): number => {
  if (!filtered) return counts?.all ?? -1
  return counts?.matching && !counts.matching.more ? counts.matching.count : -1
}

type ListFrameProps<Row> = {
  list: TiledList<Row>
  look: ListLook<Row>
  filters: Filters
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
}

/** A list of any length with its filter, its counts, and whatever there is to say instead of rows. */
export const ListFrame = <Row,>({ list, look, filters, search, onSearch }: ListFrameProps<Row>) => {
  const { query, goingOn, goOn } = list
  const { data, error } = query
  const counts = data?.counts ?? null
  const isThere = data !== undefined && data.tiles.some(({ size }) => size > 0)
  const filtered = isFiltered(search)
  return (
    <section aria-label={look.heading} className="mt-7">
      <Heading heading={look.heading} active={look.active} counts={counts} />
      {counts && (counts.all > 0 || filtered) && <FilterBar {...filters} {...{ search, onSearch, counts }} />}
      {error && <StaleNotice error={error} dataUpdatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />}
      {!isThere && counts === null && !error && <LoadingRows label={`Loading ${filters.what}`} />}
      {isThere && <Rows list={list} look={look} setSize={sizeOf(counts, filtered)} label={look.heading} />}
      {!isThere && counts !== null && (
        <div className="panel" aria-busy={query.isPlaceholderData}>
          {!filtered && look.empty}
          {filtered && (
            <div className="px-4 py-10 text-center text-sm text-muted">
              <p className="mb-3">{`No ${look.one} matches these filters.`}</p>
              <Button onClick={() => onSearch(withoutFilters(search))}>Show all {filters.what}</Button>
            </div>
          )}
        </div>
      )}
      {data && (data.next !== null || goingOn) && (
        <div className="mt-4 text-center">
          <Button busy={goingOn} onClick={goOn}>
            Load more
          </Button>
        </div>
      )}
    </section>
  )
}
