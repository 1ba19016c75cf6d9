import { useSyncExternalStore } from 'react'

/** A hook that is true while the window matches a media query. */
export const createMediaHook = (query: string) => {
  const media = matchMedia(query)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return (): boolean => useSyncExternalStore(subscribe, () => media.matches)
}
