/** Concurrent calls with the same key share one run. With `keep`, later calls get its result too. A failure is never kept. */
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
    work: work as ReadonlyMap<string, Promise<T>>,
  }
}

/** Calls with the same key run one at a time, in their order. A failure rejects its own call only. */
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
