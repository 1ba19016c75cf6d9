import { useSyncExternalStore } from 'react'
import { polling } from '#lib/polling.ts'

/** True while the reader has paused refreshing. */
export const usePaused = (): boolean => useSyncExternalStore(polling.subscribe, polling.get).paused
