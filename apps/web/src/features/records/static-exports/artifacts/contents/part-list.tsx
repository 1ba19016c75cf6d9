import type { ComponentProps, ReactNode } from 'react'
import { formatPlural } from '#lib/text/format.ts'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { Loading, ReadState } from '#ui/layout/page.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'

type PartListProps = {
  one: string
  q: string
  onSearch: (q: string) => void
  query: ComponentProps<typeof ReadState>['query'] &
    ComponentProps<typeof LoadMore>['query'] & { isPlaceholderData: boolean }
  /** Number of matches, and how many are loaded; null before the first response. */
  counts: { total: number; loaded: number } | null
  children: ReactNode
}

export const PartList = ({ one, q, onSearch, query, counts, children }: PartListProps) => (
  <section aria-label={`${one}s`}>
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <FilterField label={`Filter ${one}s`} value={q} onChange={onSearch} />
      <p role="status" className="text-sm text-muted sm:min-w-28 sm:text-right">
        {counts &&
          `${formatPlural(counts.total, one)}${q.trim() === '' ? '' : counts.total === 1 ? ' matches' : ' match'}`}
      </p>
    </div>
    <ReadState
      query={query}
      waiting={<Loading className="panel space-y-3 p-5" lines={['h-4 w-64', 'h-4 w-48', 'h-4 w-56']} />}
    />
    {counts && (
      <div
        className={`panel overflow-hidden [&>ul>li:first-child]:border-t-0 ${query.isPlaceholderData ? 'opacity-60' : ''}`}
        aria-busy={query.isPlaceholderData || undefined}
      >
        {counts.total === 0 ? (
          <p className="px-4 py-8 text-center text-sm text-muted">
            {q.trim() === '' ? `There are no ${one}s.` : `No ${one} matches “${q.trim()}”.`}
          </p>
        ) : (
          children
        )}
      </div>
    )}
    {counts && <LoadMore query={query} left={counts.total - counts.loaded} />}
  </section>
)
