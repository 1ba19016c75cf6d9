import { useSyncExternalStore } from 'react'
import { currentPlace, navigate } from '#lib/location.ts'

const searchOf = () => currentPlace.get().search

/** What the list on the page is filtered by, kept in its address as `?q=`. */
export const useFilter = (): [string, (filter: string) => void] => {
  const search = useSyncExternalStore(currentPlace.subscribe, searchOf)
  const filter = new URLSearchParams(search).get('q') ?? ''
  const change = (next: string) => {
    const { pathname } = currentPlace.get()
    navigate(next === '' ? pathname : `${pathname}?${new URLSearchParams({ q: next })}`, { replace: true })
  }
  return [filter, change]
}
