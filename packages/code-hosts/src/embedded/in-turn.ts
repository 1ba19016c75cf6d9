const lines = new Map<string, Promise<unknown>>()

/** Runs tasks of the same name one at a time: a second click waits for the first and sees its result. */
export const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const result = (lines.get(name) ?? Promise.resolve()).then(work, work)
  const last = result.catch(() => {}).finally(() => lines.get(name) === last && lines.delete(name))
  lines.set(name, last)
  return result
}

/** Opens each id once. Forgets failures: the disk may have room the next time. */
export const onceEach = <S, T>(open: (id: string, source: S) => Promise<T>) => {
  const opening = new Map<string, Promise<T>>()
  return (id: string, source: S): Promise<T> => {
    const known = opening.get(id)
    if (known) return known
    const opened = open(id, source)
    opening.set(id, opened)
    opened.catch(() => opening.delete(id))
    return opened
  }
}
