import { hasKey } from '#lib/has-key.ts'
import { nowMs } from '#lib/time/clock.ts'
import { parseDates, toInstants } from '#lib/time/date-range.ts'
import { pickTexts, printQuery } from './query-string.ts'

const texts = ['connection', 'q', 'group', 'domain', 'repository', 'model', 'projectId', 'sort', 'dates'] as const

/** Filter and order of a list, as in its address. `''` means no choice. */
export type ListSearch<Group extends string = string, Sort extends string = string> = Record<
  Exclude<(typeof texts)[number], 'group' | 'sort'>,
  string
> & { group: Group | ''; sort: Sort | ''; attention: boolean; removed: boolean; findings: boolean }

const isTrueText = (value: unknown) => value === true || value === 'true'

/** Reads a search from a parsed query; ignores the rest. */
export const parseListSearch = (values: Readonly<Record<string, unknown>>): ListSearch => ({
  ...pickTexts(values, texts),
  dates: typeof values['dates'] === 'string' ? parseDates(values['dates']) : '',
  attention: isTrueText(values['attention']),
  removed: isTrueText(values['removed']),
  findings: isTrueText(values['findings']),
})

export const printListSearch = (search: Partial<ListSearch>): string => printQuery(parseListSearch(search))

/** Removes every filter; keeps connection and order. */
export const withoutFilters = ({ connection, sort }: ListSearch): ListSearch => ({
  ...parseListSearch({}),
  connection,
  sort,
})

/** True when a search filters anything. A connection is the scope of the page, not a filter. */
export const isFiltered = (search: ListSearch): boolean =>
  printListSearch({ ...search, connection: '', sort: '' }) !== ''

export const keepSupportedParams = <Group extends string, Sort extends string>(
  search: ListSearch,
  supported: {
    groups: Readonly<Record<Group, string>>
    sorts: Readonly<Record<Sort, string>>
    fields: readonly ('domain' | 'repository' | 'model' | 'projectId')[]
    findings?: boolean
  },
): ListSearch<Group, Sort> => ({
  ...parseListSearch({}),
  ...Object.fromEntries(supported.fields.map((field) => [field, search[field].trim()])),
  connection: search.connection,
  q: search.q,
  dates: search.dates,
  attention: search.attention,
  removed: search.removed,
  findings: supported.findings === true && search.findings,
  group: hasKey(supported.groups, search.group) ? search.group : '',
  sort: hasKey(supported.sorts, search.sort) ? search.sort : '',
})

/** Range of a list from one cursor to another; null is the start or the end. */
export type ListRange = { from: string | null; until: string | null }

/** Query parameters for a range of a list. Cuts `q` to the length that the server accepts. */
export const toListQuery = <Group extends string, Sort extends string>(
  { connection, q = '', group, sort, attention, removed, dates = '' }: Partial<ListSearch<Group, Sort>>,
  part: ListRange = { from: null, until: null },
) => ({
  connection: connection || undefined,
  q: q.trim().slice(0, 200),
  group: group || undefined,
  sort: sort || undefined,
  attention: attention ? 'true' : undefined,
  removed: removed ? 'true' : undefined,
  ...toInstants(dates, nowMs()),
  cursor: part.from ?? undefined,
  until: part.until ?? undefined,
})
