import { useEffect, useRef } from 'react'
import { formatMatches } from '#lib/text/format.ts'
import type { ListSearch } from '#lib/address/list-search.ts'
import type { Counts } from '#ui/live-list/live-rows.tsx'
import type { MatchCount } from '#ui/live-list/live-pages.ts'

export type Choice = { value: string; label: string }

export type StatusChipsProps = {
  groups: readonly Choice[]
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  counts: Counts
}

type ChipProps = { label: string; count: MatchCount; pressed: boolean; onClick: () => void; tone?: string }

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
    {label} <span className="font-normal">{formatMatches(count)}</span>
  </button>
)

/** Scrolls the pressed chip into view. */
const usePressedInView = (search: ListSearch) => {
  const chips = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pressed = chips.current?.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (pressed && chips.current) chips.current.scrollLeft = pressed.offsetLeft - chips.current.offsetLeft - 40
  }, [search.group, search.attention, search.removed])
  return chips
}

const exact = (count = 0): MatchCount => ({ count, more: false })
const noState = { group: '', attention: false, removed: false }

/** Chips that filter by state, each with its count within the other filters. Omits states without records. */
export const StatusChips = ({ groups, search, onSearch, counts }: StatusChipsProps) => (
  <div
    ref={usePressedInView(search)}
    role="group"
    aria-label="Status"
    // Room for the focus outline, which scrolling would cut off.
    className="-mx-1 flex gap-1.5 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
  >
    <Chip
      label="All"
      count={counts.filtered?.all ?? exact(counts.all)}
      pressed={search.group === '' && !search.attention && !search.removed}
      onClick={() => onSearch(noState)}
    />
    {(counts.attention > 0 || search.attention) && (
      <Chip
        label="Needs attention"
        count={counts.filtered?.attention ?? exact(counts.attention)}
        pressed={search.attention}
        tone="text-attention"
        onClick={() => onSearch({ attention: !search.attention, removed: false })}
      />
    )}
    {groups.map(({ value, label }) => {
      const count = counts.filtered?.groups[value] ?? exact(counts.groups[value])
      const pressed = search.group === value
      if ((counts.groups[value] ?? 0) === 0 && !pressed) return null
      return (
        <Chip
          key={value}
          {...{ label, count, pressed }}
          onClick={() => onSearch({ group: pressed ? '' : value, removed: false })}
        />
      )
    })}
    {((counts.removed?.count ?? 0) > 0 || search.removed) && (
      <Chip
        label="Removed"
        count={counts.removed ?? exact()}
        pressed={search.removed}
        onClick={() => onSearch({ ...noState, removed: !search.removed })}
      />
    )}
  </div>
)
