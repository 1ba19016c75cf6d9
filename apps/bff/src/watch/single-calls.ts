import { setTimeout as delay } from 'node:timers/promises'
import { waitForDatabase, withoutDeadline } from '#db/deadline.ts'
import type { Log } from '#log/log.ts'

/** Calls that are made once and never again, whatever becomes of their answer; each is named by the id of its intent. */
export type SingleCalls<Outcome> = {
  /** Makes the call, which must not reject, and writes its outcome. */
  launch: (id: string, call: () => Promise<Outcome>) => void
  /**
   * Waits until any process has written the outcome of the intent, but no longer than `waitMs` or the request's deadline for the database.
   * Never rejects.
   */
  answered: (id: string, waitMs: number) => Promise<void>
  /** Waits for the calls under way. */
  settled: () => Promise<void>
}

/** Pauses before an outcome is written again; losing it would lose what the service answered. Milliseconds. */
const writePausesMs = [0, 200, 1000, 4000, 10_000, 15_000]

/** Between two looks for the outcome of a call that another request makes. Milliseconds. */
const lookAgainMs = 100

/** `what` names such a call in the log. */
export const singleCalls = <Outcome>(deps: {
  what: string
  /** Writes an outcome down; tried again for half a minute. */
  write: (outcome: Outcome) => Promise<void>
  /** Whether the intent still has no outcome in the database. */
  isOpen: (id: string) => Promise<boolean>
  /** Called after every call. */
  wake: () => void
  log: Log
}): SingleCalls<Outcome> => {
  const { what, write, isOpen, wake, log } = deps
  const underWay = new Map<string, { called: Promise<unknown>; written: Promise<void> }>()

  const writeSomehow = async (id: string, outcome: Outcome): Promise<void> => {
    for (const pauseMs of writePausesMs) {
      if (pauseMs > 0) await delay(pauseMs)
      try {
        return await write(outcome)
      } catch (error) {
        log.error({ err: error, id }, `the outcome of ${what} could not be written`)
      }
    }
  }

  /** The same intent may have been written a moment ago, or in another process: its call is not under way here. */
  const answeredElsewhere = async (id: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await isOpen(id))) await delay(lookAgainMs)
  }

  return {
    launch: (id, call) =>
      // The request may give up waiting; the outcome must be written all the same.
      withoutDeadline(() => {
        const called = call()
        const written = called
          .then((outcome) => writeSomehow(id, outcome))
          .catch((error: unknown) => log.error({ err: error, id }, `${what} could not be kept`))
          .finally(() => {
            underWay.delete(id)
            wake()
          })
        underWay.set(id, { called, written })
      }),
    answered: async (id, waitMs) => {
      const timer = new AbortController()
      const mine = underWay.get(id)
      const answered =
        mine?.called.then(() => waitForDatabase(() => mine.written)) ?? answeredElsewhere(id, timer.signal)
      const tooLong = delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined)
      await Promise.race([answered.catch(() => undefined), tooLong])
      timer.abort()
    },
    settled: async () => {
      await Promise.all([...underWay.values()].map(({ written }) => written))
    },
  }
}
