import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useId, useState, type ReactNode } from 'react'
import { isFiltered, withoutFilters } from '#lib/address/list-search.ts'
import { formatMatches } from '#lib/text/format.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import type { MatchCount } from '#ui/live-list/live-pages.ts'
import { lazyWithPreload } from '#ui/overlays/lazy.tsx'
import { ChoiceField } from './choice-field.tsx'
import type { FilterBarProps } from './more-filters.tsx'

const toExactCount = (count = 0): MatchCount => ({ count, more: false })

const removed = '-removed'

/** Chooses a state. Each has its count under the other filters, and all but the removed ones add up to *All*. */
const StateField = ({ groups, search, onSearch, counts }: FilterBarProps) => {
  const value = search.removed ? removed : search.group
  const option = (state: string, label: string, count: MatchCount) => (
    <option key={state} value={state}>{`${label} ${formatMatches(count)}`}</option>
  )
  return (
    <select
      aria-label="State"
      value={value}
      onChange={({ target }) =>
        onSearch(
          target.value === removed
            ? { group: '', attention: false, removed: true }
            : { group: target.value, removed: false },
        )
      }
      className={`${buttonClass()} max-w-full appearance-auto pr-1 font-normal ${value === '' ? '' : 'border-accent!'}`}
    >
      {option('', 'All', counts.filtered?.all ?? toExactCount(counts.all))}
      {Object.entries(groups).map(([state, label]) => {
        const isEmpty = (counts.groups[state] ?? 0) === 0 && search.group !== state
        return !isEmpty && option(state, label, counts.filtered?.groups[state] ?? toExactCount(counts.groups[state]))
      })}
      {((counts.removed?.count ?? 0) > 0 || search.removed) &&
        option(removed, 'Removed', counts.removed ?? toExactCount())}
    </select>
  )
}

const MoreFilters = lazyWithPreload(async () => (await import('./more-filters.tsx')).MoreFilters)

/** Filters in one row, with the heading of the list at its end. */
export const FilterBar = ({ children, ...props }: FilterBarProps & { children: ReactNode }) => {
  const { what, field, fields, views, search, onSearch, onOptions } = props
  const id = useId()
  const folded = [
    search.attention,
    search.findings,
    search.sort !== '',
    search.dates !== '',
    ...fields.map(({ name }) => search[name] !== ''),
  ].filter(Boolean).length
  const [unfolded, setUnfolded] = useState(false)
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <FilterField label={`Filter ${what}`} value={search.q} onChange={(q) => onSearch({ q })} />
      <StateField {...props} />
      <div className="min-w-0 flex-1 basis-28 sm:max-w-56">
        <ChoiceField
          label={field.label}
          options={field.options}
          value={search[field.name]}
          onOpen={onOptions}
          onChange={(value) => onSearch({ [field.name]: value })}
        />
      </div>
      <Button
        icon={SlidersHorizontal}
        aria-expanded={unfolded}
        aria-controls={id}
        onClick={() => setUnfolded((before) => !before)}
      >
        Filters{folded > 0 && ` (${folded})`}
      </Button>
      {views('bar')}
      {isFiltered(search) && (
        <Button
          variant="quiet"
          className="px-2"
          aria-label="Clear filters"
          onClick={() => onSearch(withoutFilters(search))}
        >
          Clear
        </Button>
      )}
      {children}
      <div id={id} className={`basis-full flex-wrap gap-2 ${unfolded ? 'flex' : 'hidden'}`}>
        {unfolded && (
          <Suspense>
            <MoreFilters {...props} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
