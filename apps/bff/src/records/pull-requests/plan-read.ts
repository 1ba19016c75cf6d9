const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const minWaitMs = minuteMs
const maxWaitMs = 15 * minuteMs
const weekMs = 7 * dayMs

/**
 * When an open pull request is read next: a minute later while it is new, then ever more rarely up to a quarter of an hour, and daily after a
 * week. `readyAt` is when the job finished. Milliseconds since the epoch.
 */
export const planRead = (now: number, readyAt: Date | null): Date => {
  const ageMs = Math.max(0, now - (readyAt?.getTime() ?? now))
  const waitMs = ageMs > weekMs ? dayMs : Math.min(maxWaitMs, Math.max(minWaitMs, ageMs / 4))
  return new Date(now + waitMs)
}

/** When a pull request that could not be read is read next: an hour after the first failure, doubled up to a day. */
export const planRetry = (now: number, failures: number): Date =>
  new Date(now + Math.min(dayMs, 60 * minuteMs * 2 ** Math.min(failures, 10)))

/** How long a code host gets no call after a failure of its own: a minute, doubled up to an hour. Milliseconds. */
export const pauseAfter = (failures: number): number => Math.min(60 * minuteMs, minuteMs * 2 ** Math.min(failures, 10))
