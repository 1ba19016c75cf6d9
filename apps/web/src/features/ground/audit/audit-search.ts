import { auditActions } from '@docket/api-types/audit-actions'
import { pickTexts } from '#lib/address/query-string.ts'
import { hasKey } from '#lib/has-key.ts'
import { isValidDay, startOfDay } from '#lib/time/date-range.ts'
import { resultLabels } from './audit-labels.ts'

const names = ['q', 'action', 'outcome', 'actorId', 'from', 'to', 'cursor'] as const

/** Search parameters of the audit page. `from` and `to` are local days, such as `2026-11-21`. */
export type AuditSearch = Record<(typeof names)[number], string>

const validators: Partial<Record<keyof AuditSearch, (text: string) => boolean>> = {
  action: (text) => hasKey(auditActions, text),
  outcome: (text) => hasKey(resultLabels, text),
  from: isValidDay,
  to: isValidDay,
}

/** Reads a search from a parsed query; ignores invalid values. */
export const parseAuditSearch = (values: Readonly<Record<string, unknown>>): AuditSearch => {
  const search = pickTexts(values, names)
  for (const name of names) if (!(validators[name]?.(search[name]) ?? true)) search[name] = ''
  return search
}

/** Query for the API: from the start of the first day to the end of the last, in the reader's zone. */
export const toAuditQuery = ({ q, action, outcome, actorId, from, to, cursor }: AuditSearch) => ({
  q: q.trim().slice(0, 200),
  action: hasKey(auditActions, action) ? action : undefined,
  outcome: hasKey(resultLabels, outcome) ? outcome : undefined,
  actorId,
  from: from ? startOfDay(from).toISOString() : undefined,
  to: to ? startOfDay(to, 1).toISOString() : undefined,
  cursor,
})
