import { waitForDatabase, withOwnDeadline } from '#db/deadline.ts'

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Lets many callers share one read, and never an old one: a read begins after everybody who waits for it called, so each sees
 * everything that was written before the call. Who calls while a read is under way waits for the next. At most one read is under way.
 * The wait counts for the deadline of each caller; the read has its own.
 */
export const coalesce = <T>(read: () => Promise<T>): (() => Promise<T>) => {
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
    // Polls arrive several at a time; all of one turn of the event loop get one read.
    await endOfTurn()
    return begin()
  }
  return () => waitForDatabase(() => (next ??= withOwnDeadline(gathered)))
}
