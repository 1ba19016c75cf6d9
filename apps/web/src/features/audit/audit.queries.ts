import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, linkTo } from '#lib/api.ts'
import { toAuditQuery, type AuditSearch } from './audit-search.ts'

/** A page of the audit; never polled. */
export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: ({ signal }) => get('/api/audit', { query: toAuditQuery(search), signal }),
    placeholderData: keepPreviousData,
  })

/** Download address of all matching events. */
export const exportPath = (search: AuditSearch, format: 'csv' | 'jsonl'): string =>
  linkTo('/api/audit/export', { query: { ...toAuditQuery({ ...search, cursor: '' }), format } })
