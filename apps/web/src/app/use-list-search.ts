import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseListSearch, type ListSearch } from '#lib/list-search.ts'

/**
 * What the address narrows the list on the page down to. It comes from the address, because `useSearch` follows only when the router
 * has loaded the page again, and a field would lose what is typed meanwhile.
 */
export const useListSearch = (): ListSearch => {
  const values = useLocation({ select: ({ search }) => search })
  return useMemo(() => parseListSearch(values), [values])
}

/** Whether a changed search replaces the entry of the history: typing does; every other choice makes one, so that *Back* takes it back. */
export const replacesEntry = (change: object): boolean => Object.keys(change).every((name) => name === 'q')
