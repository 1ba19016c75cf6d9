import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '#lib/state/storage.ts'
import { createStore } from '#lib/state/store.ts'

/** Whether keys without Ctrl or ⌘ are shortcuts in this browser. Speech input types such keys by accident. */
export const singleKeys = createStore(readStored('local', 'single-keys') !== 'off')

export const switchSingleKeys = (on: boolean): void => {
  writeStored('local', 'single-keys', on ? null : 'off')
  singleKeys.set(on)
}

export const useSingleKeys = (): boolean => useSyncExternalStore(singleKeys.subscribe, singleKeys.get)
