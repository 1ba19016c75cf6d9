/**
 * Does the work of a key once: calls while it is under way share it. With `keep`, later calls get its result too. A failure is never
 * kept.
 */
export const oncePerKey = <T>({ keep = false } = {}) => {
  const work = new Map<string, Promise<T>>()
  return {
    run: (key: string, begin: () => Promise<T>): Promise<T> => {
      const known = work.get(key)
      if (known !== undefined) return known
      const forget = () => void work.delete(key)
      const begun = begin().then(
        (result) => {
          if (!keep) forget()
          return result
        },
        (error: unknown) => {
          forget()
          throw error
        },
      )
      work.set(key, begun)
      return begun
    },
    /** The running work, and the kept results. */
    work: work as ReadonlyMap<string, Promise<T>>,
  }
}

/** Does the work of a key in the order of the calls, one at a time. A failure rejects its own call only. */
export const inTurnPerKey = () => {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
