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
