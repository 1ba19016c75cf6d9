import { auditActions } from '@docket/api-types/audit-actions'
import type { ReactNode } from 'react'
import { printQuery } from '#lib/address/query-string.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import type { AuditSearch } from './audit-search.ts'
import { resultLabels } from './audit-labels.ts'

const actions = Object.entries(auditActions).toSorted(([, [a]], [, [b]]) => a.localeCompare(b))

const Choice = ({
  label,
  all,
  value,
  onChange,
  children,
}: {
  label: string
  all: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}) => (
  <label className="min-w-0 flex-1 sm:flex-none">
    <span className="sr-only">{label}</span>
    <select
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${buttonClass()} w-full appearance-auto truncate pr-1 font-normal sm:w-44`}
    >
      <option value="">{all}</option>
      {children}
    </select>
  </label>
)

const Day = ({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) => (
  <label className="flex min-w-0 flex-1 items-center gap-1.5 text-sm text-muted sm:flex-none">
    {label}
    <input
      type="date"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 text-sm text-text"
    />
  </label>
)

export const AuditFilters = ({
  search,
  onSearch,
}: {
  search: AuditSearch
  onSearch: (change: Partial<AuditSearch>) => void
}) => (
  <div className="mb-3 flex flex-wrap items-center gap-2">
    <FilterField label="Filter the audit" value={search.q} onChange={(q) => onSearch({ q })} />
    <div className="flex min-w-0 gap-2 max-sm:basis-full">
      <Choice label="Action" all="Any action" value={search.action} onChange={(action) => onSearch({ action })}>
        {actions.map(([action, [label]]) => (
          <option key={action} value={action}>
            {label}
          </option>
        ))}
      </Choice>
      <Choice label="Outcome" all="Any outcome" value={search.outcome} onChange={(outcome) => onSearch({ outcome })}>
        {Object.entries(resultLabels).map(([outcome, word]) => (
          <option key={outcome} value={outcome}>
            {word}
          </option>
        ))}
      </Choice>
    </div>
    <div className="flex min-w-0 gap-2 max-sm:basis-full">
      <Day label="From" value={search.from} onChange={(from) => onSearch({ from })} />
      <Day label="to" value={search.to} onChange={(to) => onSearch({ to })} />
    </div>
    {printQuery({ ...search, cursor: '' }) !== '' && (
      <Button
        variant="quiet"
        onClick={() => onSearch({ q: '', action: '', outcome: '', actorId: '', from: '', to: '' })}
      >
        Clear filters
      </Button>
    )}
  </div>
)
