import { useMemo, useSyncExternalStore } from 'react'
import { parseListSearch, printListSearch, type ListSearch } from '#lib/list-search.ts'
import { currentPlace, navigate } from '#lib/location.ts'

const searchOf = () => currentPlace.get().search

/**
 * What the list on the page is narrowed down to, kept in its address. Typing changes the entry of the history; every other choice
 * makes a new one, so that *Back* takes it back.
 */
export const useListSearch = (): [ListSearch, (change: Partial<ListSearch>) => void] => {
  const query = useSyncExternalStore(currentPlace.subscribe, searchOf)
  const search = useMemo(() => parseListSearch(query), [query])
  const change = (next: Partial<ListSearch>) => {
    const { pathname } = currentPlace.get()
    const to = `${pathname}${printListSearch({ ...search, ...next })}`
    navigate(to, { replace: Object.keys(next).every((name) => name === 'q') })
  }
  return [search, change]
}
