import type { ReactNode } from 'react'
import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { StaleNotice, Loading } from '#ui/layout/page.tsx'

type PartListProps = {
  one: string
  many: string
  q: string
  onSearch: (q: string) => void
  query: {
    error: unknown
    dataUpdatedAt: number
    refetch: () => unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
    isPlaceholderData: boolean
  }
  /** Number of matches, and how many are loaded; null before the first response. */
  counts: { total: number; loaded: number } | null
  children: ReactNode
}

export const PartList = ({ one, many, q, onSearch, query, counts, children }: PartListProps) => {
  const match = (count: number) => (count === 1 ? `1 ${one} matches` : `${formatCount(count)} ${many} match`)
  const total = (count: number) => `${formatCount(count)} ${count === 1 ? one : many}`
  return (
    <section aria-label={many}>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <FilterField label={`Filter ${many}`} value={q} onChange={onSearch} />
        <p role="status" className="text-sm text-muted sm:min-w-28 sm:text-right">
          {counts && (q.trim() === '' ? total(counts.total) : match(counts.total))}
        </p>
      </div>
      {query.error !== null && (
        <StaleNotice error={query.error} dataUpdatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      {counts === null && query.error === null && (
        <Loading className="panel space-y-3 p-5" lines={['h-4 w-64', 'h-4 w-48', 'h-4 w-56']} />
      )}
      {counts && (
        <div
          className={`panel overflow-hidden [&>ul>li:first-child]:border-t-0 ${query.isPlaceholderData ? 'opacity-60' : ''}`}
          aria-busy={query.isPlaceholderData || undefined}
        >
          {counts.total === 0 ? (
            <p className="px-4 py-8 text-center text-sm text-muted">
              {q.trim() === '' ? `There are no ${many}.` : `No ${one} matches “${q.trim()}”.`}
            </p>
          ) : (
            children
          )}
        </div>
      )}
      {query.hasNextPage && counts && (
        <div className="mt-4 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-sm text-muted">
          <span>{`${formatCount(counts.loaded)} of ${formatCount(counts.total)} loaded`}</span>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </section>
  )
}
