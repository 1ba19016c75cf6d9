const lines = new Map<string, Promise<unknown>>()

/** Does one thing after the other with what has this name: a second click waits for the first, and sees what came of it. */
export const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const done = (lines.get(name) ?? Promise.resolve()).then(work, work)
  const last = done.then(
    () => {},
    () => {},
  )
  lines.set(name, last)
  void last.then(() => {
    if (lines.get(name) === last) lines.delete(name)
  })
  return done
}
