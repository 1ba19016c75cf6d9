import { Search } from 'lucide-react'

/** A field that narrows a list down while typing. The key `/` moves the focus here. */
export const FilterField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <label className="relative block w-full sm:w-56">
    <span className="sr-only">{label}</span>
    <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" aria-hidden="true" />
    <input
      type="search"
      data-hotkey="filter"
      autoComplete="off"
      spellCheck={false}
      placeholder="Filter"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 text-sm"
    />
  </label>
)
