import { useState, useSyncExternalStore } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { formatDuration } from '#lib/format.ts'
import { onTick } from '#lib/ticker.ts'

/** Seconds that are left until `untilMs` of the page's own clock, which no change of the time of day moves. */
const useSecondsUntil = (untilMs: number): number =>
  useSyncExternalStore(onTick, () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000)))

/**
 * Keeps how long the server has asked to wait. `refused` is for the button: why it may not be pressed yet, counting down; null once it
 * may. Hand every error to `tell`.
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
