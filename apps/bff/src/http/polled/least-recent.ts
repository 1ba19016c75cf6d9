/** A map that forgets what was not used for longest, once its contents weigh more than `most`. */
export type Bounded<V> = {
  /** Uses it. */
  get: (key: string) => V | undefined
  set: (key: string, value: V) => void
}

export const bounded = <V>(most: number, weightOf: (value: V) => number): Bounded<V> => {
  const kept = new Map<string, V>()
  let weight = 0
  const drop = (key: string): void => {
    const value = kept.get(key)
    if (value === undefined || !kept.delete(key)) return
    weight -= weightOf(value)
  }
  return {
    get: (key) => {
      const value = kept.get(key)
      if (value === undefined) return undefined
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    set: (key, value) => {
      drop(key)
      kept.set(key, value)
      weight += weightOf(value)
      for (const oldest of kept.keys()) {
        if (weight <= most) return
        drop(oldest)
      }
    },
  }
}
