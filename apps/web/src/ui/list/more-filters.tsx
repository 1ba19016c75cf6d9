import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { ChoiceField } from './choice-field.tsx'
import { DateField } from './date-field.tsx'
import type { FilterBarProps } from './filter-bar.tsx'

/** Filters of a list beside text and state, and its order. */
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
      {sorts.map((sort) => (
        <option key={sort.value} value={sort.value}>
          {sort.label}
        </option>
      ))}
    </select>
  </>
)
