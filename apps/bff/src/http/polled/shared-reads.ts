/**
 * Lets many callers share one read, and never an old one: who calls while a read is under way waits for the next, which begins after
 * the call and so sees everything that was written before it. At most one read is under way.
 */
export const sharedReads = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let underWay: Promise<unknown> | undefined
  let next: Promise<T> | undefined

  const begin = (): Promise<T> => {
    next = undefined
    const reading = read()
    const ended = reading
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (underWay === ended) underWay = undefined
      })
    underWay = ended
    return reading
  }
  return () => next ?? (underWay === undefined ? begin() : (next = underWay.then(begin)))
}
