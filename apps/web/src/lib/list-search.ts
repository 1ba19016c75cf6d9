import { hasKey } from './has-key.ts'
import { pickTexts, printQuery } from './query-string.ts'

const texts = ['q', 'group', 'domain', 'repository', 'model', 'sort'] as const

/** What a list is narrowed down to and sorted by, as its address says it. An empty text means that nothing was chosen. */
export type ListSearch<Group extends string = string, Sort extends string = string> = Record<
  Exclude<(typeof texts)[number], 'group' | 'sort'>,
  string
> & { group: Group | ''; sort: Sort | ''; attention: boolean }

/** Reads a search from a parsed query. Whatever else is in it is ignored. */
export const parseListSearch = (values: Readonly<Record<string, unknown>>): ListSearch => ({
  ...pickTexts(values, texts),
  attention: values['attention'] === true || values['attention'] === 'true',
})

/** Prints the query of an address for a search: `?q=…`, or nothing when nothing was chosen. */
export const printListSearch = (search: Partial<ListSearch>): string => printQuery(parseListSearch(search))

/** The search without a filter; the order stays. */
export const withoutFilters = ({ sort }: ListSearch): ListSearch => ({ ...parseListSearch({}), sort })

/** True when something is filtered out. */
export const isFiltered = (search: ListSearch): boolean => printListSearch({ ...search, sort: '' }) !== ''

/** The part of a search that a list understands: a choice that it does not offer counts as none. */
export const keepSupported = <Group extends string, Sort extends string>(
  search: ListSearch,
  supported: {
    groups: Readonly<Record<Group, string>>
    sorts: Readonly<Record<Sort, string>>
    fields: readonly ('domain' | 'repository' | 'model')[]
  },
): ListSearch<Group, Sort> => ({
  ...parseListSearch({}),
  ...Object.fromEntries(supported.fields.map((field) => [field, search[field].trim()])),
  q: search.q,
  attention: search.attention,
  group: hasKey(supported.groups, search.group) ? search.group : '',
  sort: hasKey(supported.sorts, search.sort) ? search.sort : '',
})

/** The part of a list after one cursor and up to another; null is the beginning or the end. */
export type ListRange = { from: string | null; until: string | null }

/** Query parameters of every list for a part of it. Cuts `q` to the length that the server accepts. */
export const toListQuery = <Group extends string, Sort extends string>(
  { q = '', group, sort, attention }: Partial<ListSearch<Group, Sort>>,
  part: ListRange = { from: null, until: null },
) => ({
  q: q.trim().slice(0, 200),
  group: group || undefined,
  sort: sort || undefined,
  attention: attention ? 'true' : undefined,
  cursor: part.from ?? undefined,
  until: part.until ?? undefined,
})
