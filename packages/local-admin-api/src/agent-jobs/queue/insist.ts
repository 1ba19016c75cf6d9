import { setTimeout as sleep } from 'node:timers/promises'
import { LostJob } from '#agent-jobs/agent-job-store.ts'

const pauseMs = 500
const patienceMs = 20_000

/**
 * Repeats a write or read that must not get lost while the database restarts. Rejects with the last error after 20 s, and at once when
 * another worker has the job.
 */
export const insist = async <T>(work: () => Promise<T>): Promise<T> => {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LostJob || performance.now() > until) throw error
      await sleep(pauseMs)
    }
  }
}
