import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ListSearch } from '#lib/address/list-search.ts'
import { formatMatches } from '#lib/text/format.ts'
import { parseDays, printDays, recentRanges } from '#lib/time/date-range.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { useConnections } from '#ui/connections/connections.tsx'
import { saveFile } from '#ui/copying/save-file.ts'
import { Options } from '#ui/forms/form.tsx'
import type { Counts } from '#ui/live-list/live-rows.tsx'
import { ChoiceField, type ChoiceFieldProps } from './choice-field.tsx'

type Field = {
  name: 'domain' | 'repository' | 'model' | 'projectId'
  label: string
  options: ChoiceFieldProps['options']
}

export type Filters = {
  /** Noun in the plural, such as `exports`. */
  what: string
  groups: Readonly<Record<string, string>>
  /** The field that is always in view. */
  field: Field
  fields: readonly Field[]
  findings?: boolean
  sorts: Readonly<Record<string, string>>
  /** Saved views: beside the filters once there is one, and until then where the first can be saved. */
  views: (place: 'bar' | 'folded') => ReactNode
  onOptions: () => void
}

export type FilterBarProps = Filters & {
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  counts: Counts
  /** Address of the CSV file of all that match the filters. */
  csvPath: string
}

const select = `${buttonClass()} shrink-0 appearance-auto pr-1 font-normal`

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
        className={`${select} ${value === '' ? '' : 'border-accent!'}`}
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

type ToggleProps = { label: string; pressed: boolean; onChange: (pressed: boolean) => void }

const Toggle = ({ label, pressed, onChange }: ToggleProps) => (
  <Button
    aria-pressed={pressed}
    className={pressed ? 'border-accent! text-accent!' : ''}
    onClick={() => onChange(!pressed)}
  >
    {label}
  </Button>
)

export const MoreFilters = ({
  fields,
  findings = false,
  sorts,
  onOptions,
  search,
  onSearch,
  ...props
}: FilterBarProps) => {
  const { counts, csvPath, views } = props
  const connections = useConnections() ?? []
  const matches = counts.matching ?? { count: counts.all, more: false }
  const attention = counts.filtered?.attention ?? { count: counts.attention, more: false }
  return (
    <>
      <Toggle
        label={`Needs attention ${formatMatches(attention)}`}
        pressed={search.attention}
        onChange={(pressed) => onSearch({ attention: pressed, removed: false })}
      />
      {findings && (
        <Toggle
          label="With findings"
          pressed={search.findings}
          onChange={(pressed) => onSearch({ findings: pressed })}
        />
      )}
      {fields.map(({ name, label, options }) => (
        <ChoiceField
          key={name}
          {...{ label, options }}
          value={search[name]}
          onOpen={onOptions}
          onChange={(value) => onSearch({ [name]: value })}
        />
      ))}
      {connections.length > 1 && (
        <select
          aria-label="Connection"
          value={search.connection}
          onChange={({ target }) => onSearch({ connection: target.value })}
          className={`${select} max-w-40`}
        >
          <option value="">All connections</option>
          <Options of={connections.map(({ connectionId, name }) => [connectionId, name])} />
        </select>
      )}
      <DateField value={search.dates} onChange={(dates) => onSearch({ dates })} />
      <select
        aria-label="Order"
        value={search.sort}
        onChange={(event) => onSearch({ sort: event.target.value })}
        className={select}
      >
        <Options of={Object.entries(sorts)} />
      </select>
      <Button
        icon={Download}
        refused={matches.count === 0 ? 'Nothing matches these filters.' : null}
        onClick={() => saveFile(csvPath)}
      >
        {`Download CSV (${formatMatches(matches)})`}
      </Button>
      {views('folded')}
    </>
  )
}
