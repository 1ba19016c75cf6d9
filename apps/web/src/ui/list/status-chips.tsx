import { useEffect, useRef } from 'react'
import { formatCount } from '#lib/format.ts'
import type { ListSearch } from '#lib/list-search.ts'

/** A value and its label. */
export type Choice = { value: string; label: string }

export type StatusChipsProps = {
  groups: readonly Choice[]
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

/** Scrolls the pressed chip into view. */
const usePressedInView = (search: ListSearch) => {
  const chips = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pressed = chips.current?.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (pressed && chips.current) chips.current.scrollLeft = pressed.offsetLeft - chips.current.offsetLeft - 40
  }, [search.group, search.attention])
  return chips
}

/** Chips that filter by state, each with its count. Omits states without records. */
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
