import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#ground/log/log.ts'

const tickMs = 2_000

/** Calls work of this process again and again from `start` to `stop`, however often it fails. A tick waits for the one before. */
export const ticker = (log: Log) => {
  const jobs: { every: number; run: () => Promise<unknown> }[] = []
  const stopping = new AbortController()
  let ticking: Promise<void> | undefined

  const keepTicking = async () => {
    for (let tick = 0; !stopping.signal.aborted; tick += 1) {
      const due = jobs.filter(({ every }) => tick % every === 0)
      for (const outcome of await Promise.allSettled(due.map(({ run }) => run())))
        if (outcome.status === 'rejected') log.debug({ err: outcome.reason }, 'work of a tick failed')
      await delay(tickMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  return {
    /** `seconds` between two calls, even. */
    add: (seconds: number, run: () => Promise<unknown>): void => void jobs.push({ every: seconds / 2, run }),
    start: (): void => void (ticking ??= keepTicking()),
    stop: async (): Promise<void> => {
      stopping.abort()
      await ticking
    },
  }
}
