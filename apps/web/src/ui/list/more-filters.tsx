import { Button, buttonClass } from '#ui/buttons/button.tsx'
import type { ListSearch } from '#lib/address/list-search.ts'
import type { Counts } from '#ui/live-list/live-rows.tsx'
import { Options } from '#ui/forms/options.tsx'
import { useState, type ComponentProps, type ReactNode, useId } from 'react'
import { parseDays, printDays, recentRanges } from '#lib/time/date-range.ts'

type ChoiceFieldProps = {
  label: string
  value: string
  /** Suggestions; undefined while unknown. One with a label is shown and typed by it. */
  options: readonly (string | { value: string; label: string })[] | undefined
  onOpen: () => void
  onChange: (value: string) => void
}

/** Input for one exact value, with suggestions. Applies a suggestion at once, other text on Enter or blur. */
const ChoiceField = ({ label, value: chosen, options, onOpen, onChange }: ChoiceFieldProps) => {
  const id = useId()
  const labels = options?.map((option) => (typeof option === 'string' ? option : option.label))
  const values = options?.map((option) => (typeof option === 'string' ? option : option.value))
  const value = labels?.[values?.indexOf(chosen) ?? -1] ?? chosen
  const [{ text, reported }, setState] = useState({ text: value, reported: value })
  const [open, setOpen] = useState(false)
  if (value !== reported) setState({ text: value, reported: value })
  const choose = (next: string) => {
    setState({ text: next, reported: next.trim() })
    if (next.trim() !== reported) onChange(values?.[labels?.indexOf(next.trim()) ?? -1] ?? next.trim())
  }
  return (
    <label className="block min-w-0 flex-1 basis-32">
      <span className="sr-only">{label}</span>
      <input
        type="search"
        list={id}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        title={text === '' ? undefined : text}
        value={text}
        onFocus={() => {
          setOpen(true)
          onOpen()
        }}
        onBlur={() => {
          setOpen(false)
          choose(text)
        }}
        onChange={({ target }) =>
          target.value === '' || labels?.includes(target.value)
            ? choose(target.value)
            : setState({ text: target.value, reported })
        }
        onKeyDown={(event) => event.key === 'Enter' && choose(text)}
        className={`h-8 w-full rounded-md border bg-surface px-2.5 text-sm ${value === '' ? 'border-line-strong' : 'border-accent'}`}
      />
      <datalist id={id}>
        {open && labels?.map((option) => <option key={option} value={option} aria-label={option} />)}
      </datalist>
    </label>
  )
}

export type Filters = {
  /** Noun in the plural, such as `exports`. */
  what: string
  groups: Readonly<Record<string, string>>
  fields: readonly {
    name: 'domain' | 'repository' | 'model' | 'projectId'
    label: string
    options: ComponentProps<typeof ChoiceField>['options']
  }[]
  findings?: boolean
  sorts: Readonly<Record<string, string>>
  views: ReactNode
  onOptions: () => void
}

export type StatusChipsProps = {
  groups: Filters['groups']
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  counts: Counts
}

export type FilterBarProps = Filters & StatusChipsProps

type DateFieldProps = { value: string; onChange: (value: string) => void }

const input = 'h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 text-sm text-text sm:flex-none'

const DateField = ({ value, onChange }: DateFieldProps) => {
  const [custom, setCustom] = useState(false)
  const isCustom = value.includes('..') || (custom && value === '')
  const days = parseDays(value)
  const day = (name: 'from' | 'to', label: string) => (
    <input
      type="date"
      aria-label={label}
      value={days[name]}
      max="9998-12-31"
      onChange={({ target }) => onChange(printDays({ ...days, [name]: target.value }, name))}
      className={input}
    />
  )
  return (
    <>
      <select
        aria-label="Dates"
        value={isCustom ? 'custom' : value}
        onChange={({ target }) => {
          setCustom(target.value === 'custom')
          onChange(target.value === 'custom' ? '' : target.value)
        }}
        className={`${buttonClass()} shrink-0 appearance-auto pr-1 font-normal ${value === '' ? '' : 'border-accent!'}`}
      >
        <option value="">Any time</option>
        <Options of={Object.entries(recentRanges).map(([range, { label }]) => [range, label])} />
        <option value="custom">From – to…</option>
      </select>
      {isCustom && (
        <span className="flex min-w-0 items-center gap-1.5 text-sm text-muted max-sm:basis-full">
          {day('from', 'From')} – {day('to', 'To')}
        </span>
      )}
    </>
  )
}

export const MoreFilters = ({ fields, findings = false, sorts, onOptions, search, onSearch }: FilterBarProps) => (
  <>
    {fields.map(({ name, label, options }) => (
      <ChoiceField
        key={name}
        {...{ label, options }}
        value={search[name]}
        onOpen={onOptions}
        onChange={(value) => onSearch({ [name]: value })}
      />
    ))}
    {findings && (
      <Button
        aria-pressed={search.findings}
        className={search.findings ? 'border-accent! text-accent!' : ''}
        onClick={() => onSearch({ findings: !search.findings })}
      >
        With findings
      </Button>
    )}
    <DateField value={search.dates} onChange={(dates) => onSearch({ dates })} />
    <select
      aria-label="Order"
      value={search.sort}
      onChange={(event) => onSearch({ sort: event.target.value })}
      className={`${buttonClass()} shrink-0 appearance-auto pr-1 font-normal`}
    >
      <Options of={Object.entries(sorts)} />
    </select>
  </>
)
