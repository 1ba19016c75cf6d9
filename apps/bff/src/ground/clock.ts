import { setTimeout as delay } from 'node:timers/promises'

/** Largest accepted difference between the clocks of two replicas. A larger one means that a clock was set back. Milliseconds. */
export const maxClockSkewMs = 120_000

/** Returns a random pause below a ceiling that doubles with every failure. Milliseconds. */
export const pickJitteredPause = (
  failures: number,
  { baseMs, capMs, random = Math.random }: { baseMs: number; capMs: number; random?: () => number },
): number => random() * Math.min(capMs, baseMs * 2 ** Math.min(30, Math.max(0, failures - 1)))

/** Calls `run` once after `ms` milliseconds. Returns a function that cancels it. A dependency, so tests need not wait. */
export type Timer = (run: () => void, ms: number) => () => void

export const realTimer: Timer = (run, ms) => {
  const handle = setTimeout(run, ms)
  return () => clearTimeout(handle)
}

/** Waits for `work` for at most `ms`. False when it did not finish in time. Rejects as `work` does. */
export const endsWithin = (ms: number, work: Promise<unknown>): Promise<boolean> => {
  const end = new AbortController()
  const late = delay(ms, false, { signal: end.signal }).catch(() => false)
  return Promise.race([work.then(() => true), late]).finally(() => end.abort())
}
