import { setTimeout as sleep } from 'node:timers/promises'
import { LostJob } from '#agent-jobs/agent-job-store.ts'

const pauseMs = 500
const patienceMs = 20_000

/** Repeats a write or read that must not get lost while the database restarts. Rejects after 20 s, and at once with `LostJob`. */
export const insist = async <T>(work: () => Promise<T>): Promise<T> => {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LostJob) throw error
      // Its own message names the query and its values.
      if (performance.now() > until) throw new Error('The database did not answer.', { cause: error })
      await sleep(pauseMs)
    }
  }
}
