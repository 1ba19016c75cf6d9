import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useId, useState, type ComponentProps, type ReactNode } from 'react'
import { isFiltered, withoutFilters } from '#lib/address/list-search.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { lazyLater } from '#ui/overlays/lazy-later.ts'
import type { ChoiceField } from './choice-field.tsx'
import { StatusChips, type Choice, type StatusChipsProps } from './status-chips.tsx'

const MoreFilters = lazyLater(async () => (await import('./more-filters.tsx')).MoreFilters)

export type Filters = {
  /** Noun in the plural, such as `exports`. */
  what: string
  groups: readonly Choice[]
  fields: readonly {
    name: 'domain' | 'repository' | 'model' | 'projectId'
    label: string
    options: ComponentProps<typeof ChoiceField>['options']
  }[]
  findings?: boolean
  sorts: readonly Choice[]
  views: ReactNode
  /** Called when the options of a field are needed. */
  onOptions: () => void
}

export type FilterBarProps = Filters & StatusChipsProps

/** Filter and order of a list. Folds away all but text and state, unless the address uses the rest. */
export const FilterBar = (props: FilterBarProps) => {
  const { what, fields, views, search, onSearch } = props
  const id = useId()
  const folded =
    fields.filter(({ name }) => search[name] !== '').length +
    (search.findings ? 1 : 0) +
    (search.sort === '' ? 0 : 1) +
    (search.dates === '' ? 0 : 1)
  const [unfolded, setUnfolded] = useState(folded > 0)
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap gap-2">
        <FilterField label={`Filter ${what}`} value={search.q} onChange={(q) => onSearch({ q })} />
        <Button aria-expanded={unfolded} aria-controls={id} onClick={() => setUnfolded((before) => !before)}>
          <SlidersHorizontal className="size-3.5" aria-hidden="true" />
          More{folded > 0 && ` (${folded})`}
        </Button>
        {views}
        <div id={id} className={`basis-full flex-wrap gap-2 ${unfolded ? 'flex' : 'hidden'}`}>
          {/* Asked for by its button, or by the address. */}
          {unfolded && (
            <Suspense>
              <MoreFilters {...props} />
            </Suspense>
          )}
        </div>
      </div>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <StatusChips {...props} />
        </div>
        {isFiltered(search) && (
          <Button
            variant="quiet"
            className="-mr-2 shrink-0"
            aria-label="Clear filters"
            onClick={() => onSearch(withoutFilters(search))}
          >
            <span>
              Clear<span className="max-sm:hidden"> filters</span>
            </span>
          </Button>
        )}
      </div>
    </div>
  )
}
