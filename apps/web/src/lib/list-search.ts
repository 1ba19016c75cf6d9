const texts = ['q', 'group', 'domain', 'repository', 'model', 'sort'] as const

/** What a list is narrowed down to and sorted by, as its address says it. An empty text means that nothing was chosen. */
export type ListSearch = Record<(typeof texts)[number], string> & { attention: boolean }

/** Reads the query of an address (`?q=…&group=…`). Whatever else is in it is ignored. */
export const parseListSearch = (query: string): ListSearch => {
  const params = new URLSearchParams(query)
  const values = texts.map((name) => [name, params.get(name) ?? ''])
  return {
    ...(Object.fromEntries(values) as Record<(typeof texts)[number], string>),
    attention: params.get('attention') === 'true',
  }
}

/** The query of an address for a search: `?q=…`, or nothing when nothing was chosen. */
export const printListSearch = (search: Partial<ListSearch>): string => {
  const params = new URLSearchParams()
  for (const name of texts) if (search[name]) params.set(name, search[name])
  if (search.attention) params.set('attention', 'true')
  const query = params.toString()
  return query === '' ? '' : `?${query}`
}

/** The search without a filter; the order stays. */
export const withoutFilters = ({ sort }: ListSearch): ListSearch => ({ ...parseListSearch(''), sort })

/** True when something is filtered out. */
export const isFiltered = (search: ListSearch): boolean => printListSearch({ ...search, sort: '' }) !== ''

/** The part of a search that a list understands: a choice that it does not offer counts as none. */
export const understood = (
  search: ListSearch,
  offered: {
    groups: readonly string[]
    sorts: readonly string[]
    fields: readonly ('domain' | 'repository' | 'model')[]
  },
): ListSearch => ({
  ...parseListSearch(''),
  ...Object.fromEntries(offered.fields.map((field) => [field, search[field].trim()])),
  q: search.q,
  attention: search.attention,
  group: offered.groups.includes(search.group) ? search.group : '',
  sort: offered.sorts.includes(search.sort) ? search.sort : '',
})

/** Cursors that a page begins after and ends with; null for the ends of the list. */
export type ListRange = { from: string | null; until: string | null }

/** The address of a page of a list. `q` is cut to what the server takes. */
export const listPath = (base: string, search: Partial<ListSearch>, range: ListRange): string => {
  const query = new URLSearchParams(printListSearch({ ...search, q: (search.q ?? '').trim().slice(0, 200) }))
  if (range.from !== null) query.set('cursor', range.from)
  if (range.until !== null) query.set('until', range.until)
  return query.size === 0 ? base : `${base}?${query}`
}
