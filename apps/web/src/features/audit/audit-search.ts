import { actionWords, outcomeWords } from './audit-words.ts'

const names = ['q', 'action', 'outcome', 'actorId', 'from', 'to', 'cursor'] as const

/** What the audit is narrowed down to, as the address of the page says it; `from` and `to` are days of the reader, such as `2026-11-21`. */
export type AuditSearch = Record<(typeof names)[number], string>

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
const understood: Partial<Record<keyof AuditSearch, (text: string) => boolean>> = {
  action: (text) => Object.hasOwn(actionWords, text),
  outcome: (text) => Object.hasOwn(outcomeWords, text),
  from: isDay,
  to: isDay,
}

/** Reads the query of an address; what nobody understands counts as nothing. */
export const parseAuditSearch = (query: string): AuditSearch => {
  const params = new URLSearchParams(query)
  const values = names.map((name) => {
    const text = params.get(name) ?? ''
    return [name, (understood[name] ?? (() => true))(text) ? text : '']
  })
  return Object.fromEntries(values) as AuditSearch
}

const printed = (values: Partial<Record<string, string>>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) params.set(name, value)
  const query = params.toString()
  return query === '' ? '' : `?${query}`
}

/** The query of an address for a search. */
export const printAuditSearch = (search: Partial<AuditSearch>): string => printed(search)

const startOfDay = (day: string, later = 0) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** The same search as the API takes it: from the beginning of the first day to the end of the last, in the reader's zone. */
export const auditQueryOf = ({ q, from, to, ...rest }: Partial<AuditSearch>): string =>
  printed({
    ...rest,
    q: (q ?? '').trim().slice(0, 200),
    from: from ? startOfDay(from) : '',
    to: to ? startOfDay(to, 1) : '',
  })
