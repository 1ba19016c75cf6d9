import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, linkTo } from '#lib/api.ts'
import { toAuditQuery, type AuditSearch } from './audit-search.ts'

/** A page of the audit. It is read when it is looked at, not again and again. */
export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: ({ signal }) => get('/api/audit', { query: toAuditQuery(search), signal }),
    placeholderData: keepPreviousData,
  })

/** Where everything that fits is downloaded. */
export const exportPath = (search: AuditSearch, format: 'csv' | 'jsonl'): string =>
  linkTo('/api/audit/export', { query: { ...toAuditQuery({ ...search, cursor: '' }), format } })
