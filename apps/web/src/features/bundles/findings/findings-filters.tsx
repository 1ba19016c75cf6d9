import type { Findings } from '@docket/api-types/artifacts'
import { Download, X } from 'lucide-react'
import { formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button, buttonClass, IconButton } from '#ui/buttons/button.tsx'
import { FilterChoice } from '#ui/forms/filter-choice.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { Options } from '#ui/forms/form.tsx'
import { formatRule, stateLabels } from './finding-labels.ts'
import { findingStates, hidesFindings, parseFindingsSearch, type FindingsSearch } from './findings-search.ts'
import { printFindingsPath } from './findings.queries.ts'

type FiltersProps = {
  exportId: string
  search: FindingsSearch
  counts: Findings['counts']
  total: number
  onSearch: (change: Partial<FindingsSearch>) => void
}

export const FindingsFilters = ({ exportId, search, counts, total, onSearch }: FiltersProps) => {
  const { rule, state, accepted, page } = search
  const isListed = rule === '' || counts.rules.some((one) => one.rule === rule)
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <FilterField label="Filter findings" value={search.q} onChange={(q) => onSearch({ q })} />
        <div className="grid min-w-0 grid-cols-2 gap-2 max-sm:basis-full max-sm:*:first:col-span-2 sm:flex sm:flex-wrap">
          <FilterChoice label="Rule" value={rule} onChange={(value) => onSearch({ rule: value })}>
            <option value="">Any rule</option>
            {!isListed && <option value={rule}>{revealHiddenCharacters(formatRule(rule))} (0)</option>}
            <Options
              of={counts.rules.map((one) => [one.rule, `${formatRule(one.rule)} (${formatCount(one.count)})`])}
            />
          </FilterChoice>
          <FilterChoice label="State" value={state} onChange={(value) => onSearch({ state: value })}>
            <option value="">New or not</option>
            <Options
              of={findingStates.map((one) => [one, `${stateLabels[one]} (${formatCount(counts.states[one])})`])}
            />
          </FilterChoice>
          <FilterChoice label="Acceptance" value={accepted} onChange={(value) => onSearch({ accepted: value })}>
            <option value="">Not accepted</option>
            <option value="true">Accepted ({formatCount(counts.accepted)})</option>
            <option value="any">Accepted or not</option>
          </FilterChoice>
        </div>
      </div>
      {page !== '' && (
        <p className="flex min-w-0 items-center gap-1 text-sm">
          <span className="shrink-0 text-muted">Only on</span>
          <bdi className="min-w-0 truncate font-mono text-xs" title={revealHiddenCharacters(page)}>
            {revealHiddenCharacters(page)}
          </bdi>
          <IconButton
            icon={X}
            iconClass="size-3.5"
            label="Show findings of all pages"
            onClick={() => onSearch({ page: '' })}
          />
        </p>
      )}
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-muted">
          {formatPlural(total, 'finding')}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          {hidesFindings(search) && (
            <Button variant="quiet" onClick={() => onSearch(parseFindingsSearch({}))}>
              Clear filters
            </Button>
          )}
          {(['csv', 'json'] as const).map((format) => (
            <a key={format} href={printFindingsPath(exportId, search, format)} download className={buttonClass()}>
              <Download className="size-3.5" aria-hidden="true" />
              {format.toUpperCase()}
              <span className="sr-only"> with {formatPlural(total, 'finding')}</span>
            </a>
          ))}
        </div>
      </div>
    </div>
  )
}
