import { setTimeout as delay } from 'node:timers/promises'
import { waitForDatabase, withoutDeadline } from '#ground/db/deadline.ts'
import type { Log } from '#ground/log/log.ts'

/** Pauses before each attempt to write an outcome, which must not be lost. Milliseconds. */
const writePausesMs = [0, 200, 1000, 4000, 10_000, 15_000]

/** Interval at which a request checks for the outcome of another request's call. Milliseconds. */
const lookAgainMs = 100

/** The id of its intent identifies a call. `what` is the name of the calls in the log. */
export const callsAtMostOnce = <Outcome>(deps: {
  what: string
  /** Retried for half a minute. */
  write: (outcome: Outcome) => Promise<void>
  /** True while the database has no outcome of the intent. */
  isOpen: (id: string) => Promise<boolean>
  wake: () => void
  log: Log
}) => {
  const { what, write, isOpen, wake, log } = deps
  const underWay = new Map<string, { called: Promise<unknown>; saved: Promise<void> }>()

  const writeWithRetries = async (id: string, outcome: Outcome): Promise<void> => {
    for (const pauseMs of writePausesMs) {
      if (pauseMs > 0) await delay(pauseMs)
      try {
        return await write(outcome)
      } catch (error) {
        log.error({ err: error, id }, `the outcome of ${what} could not be written`)
      }
    }
  }

  /** Waits for a call of another process, or of a request that just ended. */
  const answeredElsewhere = async (id: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await isOpen(id))) await delay(lookAgainMs)
  }

  return {
    /** The call must not reject. */
    launch: (id: string, call: () => Promise<Outcome>) =>
      // The request may stop waiting, but the outcome must be written anyway.
      withoutDeadline(() => {
        const called = call()
        const saved = called
          .then((outcome) => writeWithRetries(id, outcome))
          .catch((error: unknown) => log.error({ err: error, id }, `${what} could not be kept`))
          .finally(() => {
            underWay.delete(id)
            wake()
          })
        underWay.set(id, { called, saved })
      }),
    /** Waits up to `waitMs` until any process has written the outcome of the intent. Never rejects. */
    answered: async (id: string, waitMs: number) => {
      const timer = new AbortController()
      const mine = underWay.get(id)
      const answered = mine?.called.then(() => waitForDatabase(() => mine.saved)) ?? answeredElsewhere(id, timer.signal)
      const tooLong = delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined)
      await Promise.race([answered.catch(() => undefined), tooLong])
      timer.abort()
    },
    settled: async () => {
      await Promise.all([...underWay.values()].map(({ saved }) => saved))
    },
  }
}
