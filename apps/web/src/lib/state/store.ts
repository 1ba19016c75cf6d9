const isEqual = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (!(a instanceof Object && b instanceof Object)) return false
  const other = new Map(Object.entries(b))
  const entries = Object.entries(a)
  return entries.length === other.size && entries.every(([name, value]) => Object.is(value, other.get(name)))
}

/** A value outside React, for `useSyncExternalStore`. Keeps its identity while it is replaced by an equal one. */
export const createStore = <T>(value: T) => {
  const listeners = new Set<() => void>()
  return {
    get: (): T => value,
    set: (next: T): void => {
      if (isEqual(value, next)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Stored string under `docket.<name>`; null without one, or if storage is forbidden. */
export const readStored = (store: 'local' | 'session', name: string): string | null => {
  try {
    return (store === 'local' ? localStorage : sessionStorage).getItem(`docket.${name}`)
  } catch {
    return null
  }
}

/** Stores `value` under `docket.<name>`, or removes it if null. Does nothing if storage is forbidden. */
export const writeStored = (store: 'local' | 'session', name: string, value: string | null): void => {
  try {
    const storage = store === 'local' ? localStorage : sessionStorage
    if (value === null) storage.removeItem(`docket.${name}`)
    else storage.setItem(`docket.${name}`, value)
  } catch {
    // The page works without storage.
  }
}

/** Removes everything under `docket.` from a store, `except` these names. */
export const forgetStored = (store: 'local' | 'session', except: readonly string[] = []): void => {
  try {
    const storage = store === 'local' ? localStorage : sessionStorage
    for (const key of Object.keys(storage))
      if (key.startsWith('docket.') && !except.includes(key.slice('docket.'.length))) storage.removeItem(key)
  } catch {
    // Without access, a store counts as empty.
  }
}

/** Removes everything under `docket.` from the session storage and returns it by full key. */
export const takeSession = (): ReadonlyMap<string, string> => {
  const taken = new Map<string, string>()
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('docket.')) taken.set(key, sessionStorage.getItem(key) ?? '')
    forgetStored('session')
  } catch {
    // Without access, a store counts as empty.
  }
  return taken
}

export const restoreSession = (taken: ReadonlyMap<string, string>): void => {
  for (const [key, value] of taken) writeStored('session', key.slice('docket.'.length), value)
}
