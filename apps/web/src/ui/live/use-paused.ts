import { useSyncExternalStore } from 'react'
import { polling } from '#lib/polling/polling.ts'

export const usePausedByReader = (): boolean => useSyncExternalStore(polling.subscribe, polling.get).paused

/** True while the reader paused polling or no user is signed in. */
export const usePaused = (): boolean => {
  const { paused, stopped } = useSyncExternalStore(polling.subscribe, polling.get)
  return paused || stopped
}
