import { waitForDatabase, withOwnDeadline } from '#ground/db/deadline.ts'

const waitForEndOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Lets concurrent callers share one read that is never stale: a read begins after all of its callers asked for it, so each sees every
 * earlier write. A call during a read waits for the next read. At most one read is in progress. Each caller has its own deadline, and so
 * has the read.
 */
export const shareReads = <T>(read: () => Promise<T>): (() => Promise<T>) => {
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
  const gathered = async (): Promise<T> => {
    if (underWay !== undefined) await underWay
    // Polls arrive several at a time; all calls of one turn of the event loop share a read.
    await waitForEndOfTurn()
    return begin()
  }
  return () => waitForDatabase(() => (next ??= withOwnDeadline(gathered)))
}
