import type { ListedAuditEvent, AuditResult } from '@docket/api-types/audit'
import { auditActions } from '@docket/api-types/audit-actions'
import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { printQuery } from '#lib/address/query-string.ts'
import { get, linkTo } from '#lib/api/api.ts'
import { formatDay, formatClock, formatUtc } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { FilterChoice } from '#ui/forms/filter-choice.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { Options } from '#ui/forms/form.tsx'
import { EmptyState, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'
import { describeAction, formatDetails, readResult, resultLabels } from './audit-labels.ts'
import { toAuditQuery, type AuditSearch } from './audit-search.ts'

const actions = Object.entries(auditActions).toSorted(([, [a]], [, [b]]) => a.localeCompare(b))

type EventsOnDayProps = { label: string; value: string; onChange: (value: string) => void }

const EventsOnDay = ({ label, value, onChange }: EventsOnDayProps) => (
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

type AuditFiltersProps = { search: AuditSearch; onSearch: (change: Partial<AuditSearch>) => void }

const AuditFilters = ({ search, onSearch }: AuditFiltersProps) => (
  <div className="mb-3 flex flex-wrap items-center gap-2">
    <FilterField label="Filter the audit" value={search.q} onChange={(q) => onSearch({ q })} />
    <div className="flex min-w-0 gap-2 max-sm:basis-full">
      <FilterChoice label="Action" value={search.action} onChange={(action) => onSearch({ action })}>
        <option value="">Any action</option>
        <Options of={actions.map(([action, [label]]) => [action, label])} />
      </FilterChoice>
      <FilterChoice label="Outcome" value={search.outcome} onChange={(outcome) => onSearch({ outcome })}>
        <option value="">Any outcome</option>
        <Options of={Object.entries(resultLabels)} />
      </FilterChoice>
    </div>
    <div className="flex min-w-0 gap-2 max-sm:basis-full">
      <EventsOnDay label="From" value={search.from} onChange={(from) => onSearch({ from })} />
      <EventsOnDay label="to" value={search.to} onChange={(to) => onSearch({ to })} />
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

const tones: Readonly<Record<Exclude<AuditResult, 'ok'>, Tone>> = {
  refused: 'attention',
  failed: 'failed',
  refused_by_service: 'failed',
  unavailable: 'failed',
  unknown: 'attention',
  pending: 'waiting',
}

const EventResult = ({ result }: { result: AuditResult | null }) => {
  if (result === null) return null
  if (result === 'ok') return <span className="text-muted">{resultLabels.ok}</span>
  return <StateLabel tone={tones[result]}>{resultLabels[result]}</StateLabel>
}

const AuditRow = ({ event, onActor }: { event: ListedAuditEvent; onActor: (actorId: string) => void }) => {
  const { at, actor, address, target, requestId } = event
  const details = formatDetails(event)
  const result = readResult(event)
  const name = target?.id === actor.id ? null : (target?.name ?? null)
  return (
    <li className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-2.5 text-sm sm:grid-cols-[5.5rem_minmax(0,11rem)_minmax(0,1fr)_11rem]">
      <time dateTime={at} title={formatUtc(at)} className="text-muted">
        {formatClock(at)}
      </time>
      <div className="min-w-0">
        {actor.id === null ? (
          <bdi className="wrap-anywhere">{actor.name}</bdi>
        ) : (
          <button
            type="button"
            title={`Only events of ${actor.name}`}
            onClick={() => onActor(actor.id!)}
            className="max-w-full min-h-6 min-w-6 rounded-sm text-left font-medium wrap-anywhere hover:underline"
          >
            <bdi>{actor.name}</bdi>
          </button>
        )}
        <p className="text-xs wrap-anywhere text-muted">
          {actor.kind === 'token' && 'API token '}
          {address}
        </p>
      </div>
      <div className="min-w-0 max-sm:col-span-2">
        <p className="wrap-anywhere">
          {describeAction(event, name !== null)}
          {name !== null && (
            <>
              {' '}
              <bdi className="font-medium">{name}</bdi>
            </>
          )}
        </p>
        {details !== '' && <p className="text-xs wrap-anywhere text-muted">{details}</p>}
        {requestId !== null && result !== 'ok' && (
          <p className="text-xs wrap-anywhere text-muted">Request {requestId}</p>
        )}
      </div>
      <p className="text-xs max-sm:col-span-2 sm:pt-0.5">
        <span className="sr-only">Outcome: </span>
        <EventResult result={result} />
      </p>
    </li>
  )
}

/** Shown until the service has answered. */
const pendingPollMs = 2_000

/** A page of the audit. Polled only while one of its events waits for the service. */
const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: ({ signal }) => get('/api/audit', { query: toAuditQuery(search), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ answer }) => answer === 'pending') === true && pendingPollMs,
  })

const printExportPath = (search: AuditSearch, format: 'csv' | 'jsonl'): string =>
  linkTo('/api/audit/export', { query: { ...toAuditQuery({ ...search, cursor: '' }), format } })

const ExportLinks = ({ search }: { search: AuditSearch }) => (
  <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
    Download all matching events:
    {(['csv', 'jsonl'] as const).map((format) => (
      <a key={format} href={printExportPath(search, format)} download className={buttonClass()}>
        <Download className="size-3.5" aria-hidden="true" />
        {format === 'csv' ? 'CSV' : 'JSON lines'}
      </a>
    ))}
  </p>
)

type AuditEventsProps = { search: AuditSearch; onSearch: (change: Partial<AuditSearch>) => void }

export const AuditEvents = ({ search, onSearch }: AuditEventsProps) => {
  const query = useQuery(auditQuery(search))
  const { data, isPlaceholderData, isFetching, refetch } = query
  const filtered = printQuery(search) !== ''
  return (
    <>
      <AuditFilters search={search} onSearch={onSearch} />
      <ReadState query={query} waiting={<Skeleton className="h-96 w-full" />} />
      {data && (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          {data.items.length === 0 && (
            <div className="panel mb-4">
              <EmptyState icon={<ScrollText />} title={filtered ? 'No matching events' : 'No events yet'}>
                {filtered ? 'Clear a filter to see more.' : 'Sign-ins, exports and changes appear here.'}
              </EmptyState>
            </div>
          )}
          {[...Map.groupBy(data.items, ({ at }) => formatDay(at, nowMs()))].map(([day, events]) => (
            <section key={day} aria-label={day} className="mb-4">
              <h2 className="mb-1.5 text-sm font-semibold">{day}</h2>
              <ol className="panel divide-y divide-line">
                {events.map((event) => (
                  <AuditRow key={event.auditId} event={event} onActor={(actorId) => onSearch({ actorId })} />
                ))}
              </ol>
            </section>
          ))}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <ExportLinks search={search} />
            <span className="flex gap-2">
              {search.cursor === '' ? (
                <Button busy={isFetching} onClick={() => void refetch()}>
                  Refresh
                </Button>
              ) : (
                <Button onClick={() => onSearch({ cursor: '' })}>Newest</Button>
              )}
              {data.nextCursor !== null && (
                <Button onClick={() => onSearch({ cursor: data.nextCursor! })}>Older</Button>
              )}
            </span>
          </div>
        </div>
      )}
    </>
  )
}
