import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useId, useState, useEffect, useRef } from 'react'
import { isFiltered, withoutFilters, type ListSearch } from '#lib/address/list-search.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { lazyWithPreload } from '#ui/overlays/lazy.tsx'
import type { FilterBarProps, StatusChipsProps } from './more-filters.tsx'
import { formatMatches } from '#lib/text/format.ts'
import type { MatchCount } from '#ui/live-list/live-pages.ts'

type ChipProps = { label: string; count: MatchCount; pressed: boolean; onClick: () => void; tone?: string }

const StatusChip = ({ label, count, pressed, onClick, tone = '' }: ChipProps) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={onClick}
    className={`h-7 shrink-0 rounded-full border px-2.5 text-sm font-medium whitespace-nowrap transition-colors ${
      pressed
        ? 'border-accent bg-accent-soft text-accent'
        : `border-line bg-surface hover:bg-hover ${tone || 'text-muted'}`
    }`}
  >
    {label} <span className="font-normal">{formatMatches(count)}</span>
  </button>
)

const usePressedInView = (search: ListSearch) => {
  const chips = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pressed = chips.current?.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (pressed && chips.current) chips.current.scrollLeft = pressed.offsetLeft - chips.current.offsetLeft - 40
  }, [search.group, search.attention, search.removed])
  return chips
}

const toExactCount = (count = 0): MatchCount => ({ count, more: false })
const noState = { group: '', attention: false, removed: false }

/** Chips that filter by state, each with its count under the other filters. Omits states without records. */
const StatusChips = ({ groups, search, onSearch, counts }: StatusChipsProps) => (
  <div
    ref={usePressedInView(search)}
    role="group"
    aria-label="Status"
    // Room for the focus outline, which scrolling would cut off.
    className="-mx-1 flex gap-1.5 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
  >
    <StatusChip
      label="All"
      count={counts.filtered?.all ?? toExactCount(counts.all)}
      pressed={search.group === '' && !search.attention && !search.removed}
      onClick={() => onSearch(noState)}
    />
    {(counts.attention > 0 || search.attention) && (
      <StatusChip
        label="Needs attention"
        count={counts.filtered?.attention ?? toExactCount(counts.attention)}
        pressed={search.attention}
        tone="text-attention"
        onClick={() => onSearch({ attention: !search.attention, removed: false })}
      />
    )}
    {Object.entries(groups).map(([value, label]) => {
      const count = counts.filtered?.groups[value] ?? toExactCount(counts.groups[value])
      const pressed = search.group === value
      if ((counts.groups[value] ?? 0) === 0 && !pressed) return null
      return (
        <StatusChip
          key={value}
          {...{ label, count, pressed }}
          onClick={() => onSearch({ group: pressed ? '' : value, removed: false })}
        />
      )
    })}
    {((counts.removed?.count ?? 0) > 0 || search.removed) && (
      <StatusChip
        label="Removed"
        count={counts.removed ?? toExactCount()}
        pressed={search.removed}
        onClick={() => onSearch({ ...noState, removed: !search.removed })}
      />
    )}
  </div>
)

const MoreFilters = lazyWithPreload(async () => (await import('./more-filters.tsx')).MoreFilters)

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
