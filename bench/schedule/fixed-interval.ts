import type { SimulatedJob } from './jobs.ts'
import { queue } from './queue.ts'
import { seeded } from './random.ts'
import { countingService } from './service.ts'
import { meanCallMs, type Measured, type Watching } from './watching.ts'

const everyMs = 5000

/**
 * The same jobs, each read every five seconds by somebody who knows of no budget: what the service refuses is tried
 * again five seconds later.
 */
export const readEveryFiveSeconds = (options: {
  jobs: readonly SimulatedJob[]
  measured: Measured
  callsPerHour: number
  seed: number
}): Watching => {
  const { jobs, measured, callsPerHour, seed } = options
  const random = seeded(seed)
  const service = countingService(callsPerHour)
  const isMeasured = ({ endMs }: SimulatedJob) => endMs >= measured.fromMs && endMs <= measured.toMs
  const wanted = jobs.filter(isMeasured).length
  const due = queue<{ at: number; job: SimulatedJob }>()
  for (const job of jobs) due.put({ at: job.startMs + everyMs * random(), job })
  const lateMs: number[] = []
  let missed = 0
  let overMs = 0
  for (let next = due.take(); next !== undefined && lateMs.length < wanted; next = due.take()) {
    const { at, job } = next
    overMs = at
    if (!service.answers(at)) {
      // Nobody gets an answer before the service is free again, so the attempts until then are only counted.
      const more = Math.max(1, Math.ceil((service.freeAt() - at) / everyMs))
      missed += more - 1
      due.put({ at: at + more * everyMs, job })
    } else if (job.endMs > at) due.put({ at: at + everyMs, job })
    else if (isMeasured(job)) lateMs.push(at + meanCallMs / 2 - job.endMs)
  }
  return {
    lateMs,
    jobs: wanted,
    calls: service.calls() + missed,
    refused: service.refused() + missed,
    busiestHour: service.busiestHour(),
    overMs,
  }
}
