import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parseListSearch, type ListSearch } from '#lib/address/list-search.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'

/**
 * Search of the list on this page. Reads the address, because `useSearch` lags until the router has loaded the page,
 * and a field would lose typed text.
 */
export const useListSearch = (): ListSearch => {
  const values = useLocation({ select: ({ search }) => search })
  const connection = useChosenConnection()
  return useMemo(() => parseListSearch({ ...values, connection }), [values, connection])
}

/** True when a change replaces the history entry. Typing does; *Back* undoes all other changes. */
export const replacesHistoryEntry = (change: object): boolean => Object.keys(change).every((name) => name === 'q')
