import type { AuditList } from '@docket/api-types/audit'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from '#lib/api.ts'
import { auditQueryOf, type AuditSearch } from './audit-search.ts'

/** A page of the audit. It is read when it is looked at, not again and again. */
export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: ({ signal }) => get<AuditList>(`/api/audit${auditQueryOf(search)}`, signal),
    placeholderData: keepPreviousData,
  })

/** Where everything that fits is downloaded. */
export const exportPath = ({ cursor: _, ...search }: AuditSearch, format: 'csv' | 'jsonl'): string => {
  const query = auditQueryOf(search)
  return `/api/audit/export${query === '' ? '?' : `${query}&`}format=${format}`
}
