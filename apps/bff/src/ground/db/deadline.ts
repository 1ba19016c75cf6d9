import { AsyncLocalStorage } from 'node:async_hooks'

type Deadline = {
  ms: number
  leftMs: number
  /** Start of the oldest current wait. */
  since: number
  waits: Set<() => void>
  timer: NodeJS.Timeout | undefined
  /** True when the deadline no longer applies. */
  isOver: () => boolean
}

const current = new AsyncLocalStorage<Deadline | undefined>()

// `isDatabaseUnavailable` recognizes this message.
const deadlineError = () => new Error('Database deadline exceeded')

const startDeadline = (ms: number, isOver: () => boolean): Deadline => ({
  ms,
  leftMs: ms,
  since: 0,
  waits: new Set(),
  timer: undefined,
  isOver,
})

const expireDeadline = (deadline: Deadline): void => {
  if (deadline.isOver()) return
  deadline.leftMs = 0
  for (const giveUp of deadline.waits) giveUp()
}

/** Starts a wait; concurrent waits count once. Returns a function that ends it. */
const beginWait = (deadline: Deadline, giveUp: () => void): (() => void) => {
  const { waits } = deadline
  if (waits.size === 0) {
    deadline.since = performance.now()
    // An answer that arrived while this process was busy is read before the immediate runs.
    deadline.timer = setTimeout(() => setImmediate(expireDeadline, deadline), deadline.leftMs)
  }
  waits.add(giveUp)
  return () => {
    if (!waits.delete(giveUp) || waits.size > 0) return
    clearTimeout(deadline.timer)
    deadline.leftMs -= performance.now() - deadline.since
  }
}

/** Runs `work` with a limit of `ms` on the sum of its waits for the database. The limit ends once `isOver` returns true. */
export const withDeadline = <T>(ms: number, isOver: () => boolean, work: () => T): T =>
  current.run(startDeadline(ms, isOver), work)

/** Runs work that outlives its request, so that only the limits of the pool apply. */
export const withoutDeadline = <T>(work: () => T): T => current.run(undefined, work)

/** Runs work that several requests wait for. It gets a fresh deadline as long as the caller's. */
export const withOwnDeadline = <T>(work: () => T): T => {
  const deadline = current.getStore()
  return deadline === undefined ? work() : withDeadline(deadline.ms, () => false, work)
}

/**
 * Waits for the database within the deadline of the request. When the deadline passes, rejects with an error that `isDatabaseUnavailable`
 * recognizes, and calls `giveUp` to end the operation. After the deadline, the operation does not begin at all.
 */
export const waitForDatabase = <T>(begin: () => Promise<T>, giveUp: () => void = () => {}): Promise<T> => {
  const deadline = current.getStore()
  if (deadline === undefined || deadline.isOver()) return begin()
  if (deadline.leftMs <= 0) {
    giveUp()
    return Promise.reject(deadlineError())
  }
  return new Promise((resolve, reject) => {
    const end = beginWait(deadline, () => {
      giveUp()
      reject(deadlineError())
    })
    begin().finally(end).then(resolve, reject)
  })
}
