import { useSyncExternalStore } from 'react'
import { polling } from '#lib/polling.ts'

/** True while the reader has paused refreshing themselves. */
export const usePausedByReader = (): boolean => useSyncExternalStore(polling.subscribe, polling.get).paused

/** True while the reader has paused refreshing, and while nobody is signed in. */
export const usePaused = (): boolean => {
  const { paused, stopped } = useSyncExternalStore(polling.subscribe, polling.get)
  return paused || stopped
}
