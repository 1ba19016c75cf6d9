import { useSyncExternalStore } from 'react'

/** Width from which the sidebar stands beside the page, as `lg` of the styles. */
const wide = matchMedia('(width >= 64rem)')

const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** True while the window has room for the sidebar, so that only one of the two navigations is rendered. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
