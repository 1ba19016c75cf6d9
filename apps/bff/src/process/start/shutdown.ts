/** A repeat within this time is not a second signal, because npm forwards a Ctrl-C that the terminal has already sent. */
const sameSignalMs = 1_000

// By default, SIGQUIT makes the system write all memory, keys included, to a file.
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** Signals that stop the process. SIGTERM comes from a supervisor, the others from a terminal. */
export type StopSignal = keyof typeof exitCodes

/** Progress and limits of the shutdown. Times in milliseconds. */
export type Stopping = {
  draining: boolean
  /** Time during which requests are still answered after SIGTERM. */
  drainMs: number
  /** Time for requests and reads in progress to finish. */
  readonly graceMs: number
}

/** A second signal exits at once. Exits with 0 when `stop` resolves, and with 1 after `forcedAfterMs`. */
export const stopOnSignal = (stop: (signal: StopSignal) => Promise<void>, forcedAfterMs: () => number): void => {
  let firstAt: number | null = null
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (firstAt !== null) {
        if (performance.now() - firstAt > sameSignalMs) process.exit(exitCodes[signal])
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
