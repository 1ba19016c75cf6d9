import { isKeyOf } from '#lib/is-key-of.ts'
import { pickTexts } from '#lib/query-string.ts'
import { actionWords, outcomeWords } from './audit-words.ts'

const names = ['q', 'action', 'outcome', 'actorId', 'from', 'to', 'cursor'] as const

/** What the audit is narrowed down to, as the address of the page says it; `from` and `to` are days of the reader, such as `2026-11-21`. */
export type AuditSearch = Record<(typeof names)[number], string>

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
const understood: Partial<Record<keyof AuditSearch, (text: string) => boolean>> = {
  action: (text) => isKeyOf(actionWords, text),
  outcome: (text) => isKeyOf(outcomeWords, text),
  from: isDay,
  to: isDay,
}

/** Reads a search from a parsed query; what nobody understands counts as nothing. */
export const parseAuditSearch = (values: Readonly<Record<string, unknown>>): AuditSearch => {
  const search = pickTexts(values, names)
  for (const name of names) if (!(understood[name]?.(search[name]) ?? true)) search[name] = ''
  return search
}

const startOfDay = (day: string, later = 0) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** The same search as the API takes it: from the beginning of the first day to the end of the last, in the reader's zone. */
export const toAuditQuery = ({ q, action, outcome, actorId, from, to, cursor }: AuditSearch) => ({
  q: q.trim().slice(0, 200),
  action: isKeyOf(actionWords, action) ? action : undefined,
  outcome: isKeyOf(outcomeWords, outcome) ? outcome : undefined,
  actorId,
  from: from ? startOfDay(from) : undefined,
  to: to ? startOfDay(to, 1) : undefined,
  cursor,
})
