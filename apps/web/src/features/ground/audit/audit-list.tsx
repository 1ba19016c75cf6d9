import type { ListedAuditEvent } from '@docket/api-types/audit'
import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { nowMs } from '#lib/time/clock.ts'
import { formatDay } from '#lib/text/format.ts'
import { printQuery } from '#lib/address/query-string.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'
import { type AuditSearch, toAuditQuery } from './audit-search.ts'
import { get, linkTo } from '#lib/api/api.ts'

/** Until the service has answered what was asked. */
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

const exportPath = (search: AuditSearch, format: 'csv' | 'jsonl'): string =>
  linkTo('/api/audit/export', { query: { ...toAuditQuery({ ...search, cursor: '' }), format } })

const byDay = (events: readonly ListedAuditEvent[]): [string, ListedAuditEvent[]][] => {
  const days = new Map<string, ListedAuditEvent[]>()
  for (const event of events) {
    const day = formatDay(event.at, nowMs())
    days.set(day, [...(days.get(day) ?? []), event])
  }
  return [...days]
}

const Exports = ({ search }: { search: AuditSearch }) => (
  <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
    Download all matching events:
    {(['csv', 'jsonl'] as const).map((format) => (
      <a key={format} href={exportPath(search, format)} download className={buttonClass()}>
        <Download className="size-3.5" aria-hidden="true" />
        {format === 'csv' ? 'CSV' : 'JSON lines'}
      </a>
    ))}
  </p>
)

/** Audit events by day, newest first. The address holds the search. */
export const AuditEvents = ({
  search,
  onSearch,
}: {
  search: AuditSearch
  onSearch: (change: Partial<AuditSearch>) => void
}) => {
  const { data, error, dataUpdatedAt, isPlaceholderData, isFetching, refetch } = useQuery(auditQuery(search))
  const filtered = printQuery(search) !== ''
  return (
    <>
      <AuditFilters search={search} onSearch={onSearch} />
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          {data.items.length === 0 && (
            <div className="panel mb-4">
              <EmptyState icon={<ScrollText />} title={filtered ? 'No matching events' : 'No events yet'}>
                {filtered ? 'Clear a filter to see more.' : 'Sign-ins, exports and changes appear here.'}
              </EmptyState>
            </div>
          )}
          {byDay(data.items).map(([day, events]) => (
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
            <Exports search={search} />
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
