import { useMutation } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { formatDuration } from '#lib/text/format.ts'
import { onTick } from '#lib/time/clock.ts'

const useSecondsUntil = (untilMs: number): number =>
  useSyncExternalStore(onTick, () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000)))

/**
 * Mutation that respects the wait requested by the server. `refused` is the countdown for a button, or null. `send` does nothing while it
 * is pending or has to wait.
 */
export const useGuardedMutation = <In = void, Out = unknown>(write: (input: In) => Promise<Out>) => {
  const [untilMs, setUntilMs] = useState(0)
  const left = useSecondsUntil(untilMs)
  const refused = left > 0 ? `Too many attempts. Wait ${formatDuration(left * 1000)}, then try again.` : null
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: write,
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'too_many_requests')
        setUntilMs(performance.now() + (failure.retryAfterMs ?? 10_000))
    },
  })
  const send = (...input: Parameters<typeof mutate>): void => {
    if (!isPending && refused === null) mutate(...input)
  }
  return { send, error, isPending, reset, refused }
}
