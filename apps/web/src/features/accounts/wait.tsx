import { useState, useSyncExternalStore } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { formatDuration } from '#lib/format.ts'
import { onTick } from '#lib/ticker.ts'

/** Seconds until `untilMs` on the page's monotonic clock. */
const useSecondsUntil = (untilMs: number): number =>
  useSyncExternalStore(onTick, () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000)))

/**
 * Tracks the wait that the server asked for. `refused` is the countdown for a button, or null. Pass every error to `tell`.
 */
export const useWait = () => {
  const [untilMs, setUntilMs] = useState(0)
  const left = useSecondsUntil(untilMs)
  return {
    refused: left > 0 ? `Too many tries. Wait ${formatDuration(left * 1000)}, then try again.` : null,
    tell: (error: unknown) => {
      if (error instanceof ApiError && error.code === 'too_many_requests')
        setUntilMs(performance.now() + (error.retryAfterMs ?? 10_000))
    },
  }
}
