import { setTimeout as delay } from 'node:timers/promises'

/** A second signal this soon is the first one again: npm passes Ctrl-C on although the terminal has sent it already. */
const sameSignalMs = 1_000

// SIGQUIT as well: left to itself it makes the system write all memory, and the keys in it, to a file.
const codeOfSignal = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** What ended the process. SIGTERM comes from a supervisor, the others from a terminal. */
export type StopSignal = keyof typeof codeOfSignal

/** How far the stop has come, and how long it may take. Times in milliseconds. */
export type Stopping = {
  /** This process was asked to stop. */
  draining: boolean
  /** How long it goes on answering after that, when a supervisor asked. */
  drainMs: number
  /** How long what is under way then has to end. */
  readonly graceMs: number
}

/**
 * Calls `stop` at the first signal to end, and ends the process with 0 when it is done; a second signal ends it at once.
 * `forcedAfterMs` bounds the whole stop: after it the process ends with 1.
 */
export const stopOnSignal = (stop: (signal: StopSignal) => Promise<void>, forcedAfterMs: () => number): void => {
  let firstAt: number | null = null
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (firstAt !== null) {
        if (performance.now() - firstAt > sameSignalMs) process.exit(codeOfSignal[signal])
        return
      }
      firstAt = performance.now()
      setTimeout(() => process.exit(1), forcedAfterMs()).unref()
      stop(signal).then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
}

/** Waits for `work`, but no longer than `graceMs`; false when it was not done by then. */
export const within = async (graceMs: number, work: Promise<unknown>): Promise<boolean> => {
  const end = new AbortController()
  const late = delay(graceMs, false, { signal: end.signal }).catch(() => false)
  const done = await Promise.race([work.then(() => true), late])
  end.abort()
  return done
}
