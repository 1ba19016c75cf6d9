import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseListSearch, type ListSearch } from '#lib/list-search.ts'

/**
 * Search of the list on this page. Reads the address, because `useSearch` lags behind until the router has loaded the page, and a field
 * would lose typed text meanwhile.
 */
export const useListSearch = (): ListSearch => {
  const values = useLocation({ select: ({ search }) => search })
  return useMemo(() => parseListSearch(values), [values])
}

/** Whether a change replaces the history entry. Typing does; *Back* undoes every other choice. */
export const replacesEntry = (change: object): boolean => Object.keys(change).every((name) => name === 'q')
