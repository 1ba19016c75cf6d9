/** Calls `run` once after `ms` milliseconds. Returns a function that cancels it. A dependency, so tests need not wait. */
export type Timer = (run: () => void, ms: number) => () => void

/** Uses `setTimeout`. */
export const realTimer: Timer = (run, ms) => {
  const handle = setTimeout(run, ms)
  return () => clearTimeout(handle)
}
