/** Calls `run` once after `ms` milliseconds, unless the function it answers with is called first. A dependency, so that tests need not wait. */
export type Timer = (run: () => void, ms: number) => () => void

/** The clock of the machine. */
export const realTimer: Timer = (run, ms) => {
  const handle = setTimeout(run, ms)
  return () => clearTimeout(handle)
}
