import { createStore } from './store.ts'

const own = createStore<{ ids: ReadonlySet<string> }>({ ids: new Set() })

/** Ids of the records that this page created. Lists show them at once. */
export const ownRecords = { subscribe: own.subscribe, get: (): ReadonlySet<string> => own.get().ids }

export const addOwnRecord = (id: string): void => {
  if (!ownRecords.get().has(id)) own.set({ ids: new Set([...ownRecords.get(), id]) })
}
