import { SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { formatCount } from '#lib/format.ts'
import { isFiltered, withoutFilters, type ListSearch } from '#lib/list-search.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { FilterField } from '#ui/filter-field.tsx'
import { ChoiceField } from './choice-field.tsx'

/** Something to choose, in the words of the reader. */
export type Choice = { value: string; label: string }

/** What a list can be narrowed down by. */
export type Filters = {
  /** What is filtered, such as `exports`. */
  what: string
  groups: readonly Choice[]
  fields: readonly { name: 'domain' | 'repository' | 'model'; label: string; options: readonly string[] | undefined }[]
  sorts: readonly Choice[]
  /** Called when the options of a field are needed. */
  onOptions: () => void
}

type FilterBarProps = Filters & {
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  counts: { all: number; attention: number; groups: Record<string, number> }
}

type ChipProps = { label: string; count: number; pressed: boolean; onClick: () => void; tone?: string }

const Chip = ({ label, count, pressed, onClick, tone = '' }: ChipProps) => (
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
    {label} <span className="font-normal">{formatCount(count)}</span>
  </button>
)

const Chips = ({ groups, search, onSearch, counts }: FilterBarProps) => (
  // Room for the outline of the focus, which would be cut off where it scrolls.
  <div
    role="group"
    aria-label="Status"
    className="-mx-1 flex gap-1.5 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
  >
    <Chip
      label="All"
      count={counts.all}
      pressed={search.group === '' && !search.attention}
      onClick={() => onSearch({ group: '', attention: false })}
    />
    {(counts.attention > 0 || search.attention) && (
      <Chip
        label="Needs attention"
        count={counts.attention}
        pressed={search.attention}
        tone="text-attention"
        onClick={() => onSearch({ attention: !search.attention })}
      />
    )}
    {groups.map(({ value, label }) => {
      const count = counts.groups[value] ?? 0
      const pressed = search.group === value
      if (count === 0 && !pressed) return null
      return (
        <Chip key={value} {...{ label, count, pressed }} onClick={() => onSearch({ group: pressed ? '' : value })} />
      )
    })}
  </div>
)

/** Text, state and values that a list is narrowed down by, and its order. Where it is narrow, all but text and state is folded away. */
export const FilterBar = (props: FilterBarProps) => {
  const { what, fields, sorts, onOptions, search, onSearch } = props
  const [unfolded, setUnfolded] = useState(false)
  const id = useId()
  const folded = fields.filter(({ name }) => search[name] !== '').length + (search.sort === '' ? 0 : 1)
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap gap-2">
        <FilterField label={`Filter ${what}`} value={search.q} onChange={(q) => onSearch({ q })} />
        <Button
          className="sm:hidden"
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setUnfolded((before) => !before)}
        >
          <SlidersHorizontal className="size-3.5" aria-hidden="true" />
          More{folded > 0 && ` (${folded})`}
        </Button>
        <div
          id={id}
          className={`basis-full flex-wrap gap-2 sm:flex sm:flex-1 sm:basis-72 ${unfolded ? 'flex' : 'hidden'}`}
        >
          {fields.map(({ name, label, options }) => (
            <ChoiceField
              key={name}
              {...{ label, options }}
              value={search[name]}
              onOpen={onOptions}
              onChange={(value) => onSearch({ [name]: value })}
            />
          ))}
          <label className="shrink-0">
            <span className="sr-only">Order</span>
            <select
              value={search.sort}
              onChange={(event) => onSearch({ sort: event.target.value })}
              className={`${buttonClass()} appearance-auto pr-1 font-normal`}
            >
              {sorts.map((sort) => (
                <option key={sort.value} value={sort.value}>
                  {sort.label}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0 flex-1">
          <Chips {...props} />
        </div>
        {isFiltered(search) && (
          <Button variant="quiet" className="-mr-2 shrink-0" onClick={() => onSearch(withoutFilters(search))}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  )
}
