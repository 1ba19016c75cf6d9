import type { SandboxLimits } from '#sandbox/limits.ts'
import { findDiskExcess } from './disk-excess.ts'
import { findProcessExcess } from './process-excess.ts'

/** Pauses between two measurements. Memory fills in a moment, and a large checkout takes a while to count. Milliseconds. */
const pauses = { processes: 200, disk: 2000 }

/**
 * Watches a running sandbox, whose first process is `init`, and calls `onExcess` with a sentence for the reader when it goes beyond its limits.
 * Returns a function that ends the watch.
 */
export const watchUsage = (
  { init, checkout, limits }: { init: number; checkout: string; limits: SandboxLimits },
  onExcess: (sentence: string) => void,
): (() => void) => {
  const ended = new AbortController()
  const repeat = async (findExcess: () => Promise<string | null>, pauseMs: number) => {
    const excess = await findExcess().catch(
      () => 'The command was stopped: its use of memory and disk cannot be measured here.',
    )
    if (ended.signal.aborted) return
    if (excess !== null) return onExcess(excess)
    const timer = setTimeout(() => void repeat(findExcess, pauseMs), pauseMs)
    ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  void repeat(() => findProcessExcess(init, limits), pauses.processes)
  void repeat(() => findDiskExcess(checkout, limits), pauses.disk)
  return () => ended.abort()
}
