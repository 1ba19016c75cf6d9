import type { SavedView, SavedViewList } from '@docket/api-types/saved-views'
import { parseListSearch, printListSearch, type ListSearch } from '#lib/address/list-search.ts'
import { parseQuery } from '#lib/address/query-string.ts'

/** `place`: `bar` shows the menu once a view exists, `folded` until then. */
export type ViewsMenuProps = { list: SavedViewList; search: ListSearch; place: 'bar' | 'folded' }

export const readViewSearch = ({ query }: Pick<SavedView, 'query'>): ListSearch => parseListSearch(parseQuery(query))

/** Query of a search as a view stores it; `''` without filter and order. */
export const toViewQuery = (search: Partial<ListSearch>): string => printListSearch(search).slice(1)

export const findView = <View extends Pick<SavedView, 'query'>>(
  views: readonly View[],
  search: Partial<ListSearch>,
): View | undefined => {
  const query = toViewQuery(search)
  return views.find((view) => toViewQuery(readViewSearch(view)) === query)
}
