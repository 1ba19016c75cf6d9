import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, linkTo } from '#lib/api/api.ts'
import { toAuditQuery, type AuditSearch } from './audit-search.ts'

/** Until the service has answered what was asked. */
const pendingPollMs = 2_000

/** A page of the audit. Polled only while one of its events waits for the service. */
export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: ({ signal }) => get('/api/audit', { query: toAuditQuery(search), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ answer }) => answer === 'pending') === true && pendingPollMs,
  })

/** Download address of all matching events. */
export const exportPath = (search: AuditSearch, format: 'csv' | 'jsonl'): string =>
  linkTo('/api/audit/export', { query: { ...toAuditQuery({ ...search, cursor: '' }), format } })
