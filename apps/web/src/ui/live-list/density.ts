import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '#lib/state/storage.ts'
import { createStore } from '#lib/state/store.ts'

/** Whether lists show more rows with less space in this browser. */
const compact = createStore(readStored('local', 'compact-lists') === 'on')

export const switchCompact = (on: boolean): void => {
  writeStored('local', 'compact-lists', on ? 'on' : null)
  compact.set(on)
}

export const useCompact = (): boolean => useSyncExternalStore(compact.subscribe, compact.get)
