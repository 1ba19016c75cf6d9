import type { SiteRows } from '@docket/api-types/site-rows'
import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { siteGrid, SiteRow } from './site-row.tsx'

const pageSize = 25
const minFiltered = 8

type SiteTableProps = {
  page: SiteRows
  search: { q: string; skip: number }
  onSearch: (search: { q: string; skip: number }) => void
}

export const SiteTable = ({ page, search, onSearch }: SiteTableProps) => {
  const { rows, total, next, hasLive } = page
  const { q, skip } = search
  const head = `${siteGrid(hasLive)} hidden h-8 border-b border-line text-xs text-muted @3xl:grid`
  return (
    <section aria-label="Sites">
      {(total >= minFiltered || q !== '') && (
        <div className="mb-3 flex max-w-md">
          <FilterField label="Filter sites" value={q} onChange={(text) => onSearch({ q: text, skip: 0 })} />
        </div>
      )}
      {rows.length === 0 ? (
        <p className="panel px-4 py-8 text-center text-sm text-muted">No site matches this filter.</p>
      ) : (
        <div role="table" aria-label="Sites" className="panel @container divide-y divide-line">
          <div role="row" className={head}>
            <span role="columnheader">Site</span>
            {hasLive && <span role="columnheader">Live</span>}
            <span role="columnheader">Newest export</span>
            <span role="columnheader" aria-label="Next step" />
            <span role="columnheader" aria-label="More" />
          </div>
          {rows.map((row) => (
            <SiteRow key={row.siteId ?? `${row.connectionId} ${row.domain}`} row={row} hasLive={hasLive} />
          ))}
        </div>
      )}
      {total > pageSize && (
        <nav aria-label="Pages of sites" className="mt-3 flex items-center justify-end gap-2 text-sm text-muted">
          {formatCount(skip + 1)}–{formatCount(skip + rows.length)} of {formatCount(total)}
          <Button
            refused={skip === 0 ? 'These are the first sites.' : null}
            onClick={() => onSearch({ q, skip: Math.max(0, skip - pageSize) })}
          >
            Previous
          </Button>
          <Button
            refused={next === null ? 'These are the last sites.' : null}
            onClick={() => onSearch({ q, skip: next ?? 0 })}
          >
            Next
          </Button>
        </nav>
      )}
    </section>
  )
}
