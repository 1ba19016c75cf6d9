import { planBudget, createFullLevel, takeTokens } from '#apps/bff/src/service/rate-limit/bucket.ts'
import { floorMs as floorFor, readIntervalMs } from '#apps/bff/src/service/polling/read-interval.ts'
import { schedule } from '#apps/bff/src/service/polling/schedule.ts'
import type { SimulatedJob } from './jobs.ts'
import { queue } from './queue.ts'
import { seeded } from './random.ts'
import { countingService } from './service.ts'

/** Only jobs that end in this span count; all of them are watched. */
export type Measured = { fromMs: number; toMs: number }

/** Result of watching a simulated service. */
export type Watching = {
  /** Delay until each end was noticed. Milliseconds; fewer entries than jobs when some were never noticed. */
  lateMs: number[]
  /** Number of ends to notice. */
  jobs: number
  calls: number
  refused: number
  busiestHour: number
  /** When the last one was noticed. */
  overMs: number
}

type Followed = SimulatedJob & { at: number; settledMs: number | null }

const concurrency = 8
const idlePassMs = 250
/** A call takes a fifth of a second, more or less. */
export const meanCallMs = 200
const floorMs = floorFor({ embedded: false })

/**
 * One Docket watches a simulated service in virtual time, with the budget and schedule of production, claims, calls
 * that take time, and re-checks of settled jobs. Only the database is left out.
 */
export const watchSimulated = async (options: {
  jobs: readonly SimulatedJob[]
  measured: Measured
  callsPerHour: number
  seed: number
}): Promise<Watching> => {
  const { jobs, measured, callsPerHour, seed } = options
  const random = seeded(seed)
  const service = countingService(callsPerHour)
  const budget = planBudget(callsPerHour)
  let level = createFullLevel(budget, 0)
  let now = 0
  const changing = new Set<Followed>()
  const due = queue<Followed>()
  const calls = queue<{ at: number; end: () => void }>()
  const lateMs: number[] = []
  let inFlight = 0
  const isMeasured = ({ endMs }: SimulatedJob) => endMs >= measured.fromMs && endMs <= measured.toMs
  const wanted = jobs.filter(isMeasured).length
  let overMs = 0

  const demand = () => {
    let callsPerMs = 0
    for (const { startMs } of changing)
      callsPerMs += 1 / readIntervalMs({ ageMs: now - startMs, viewed: false, floorMs })
    return Promise.resolve({ callsPerMs, records: changing.size })
  }
  const plan = schedule({ callsPerHour, floorMs, demand, now: () => now, random })

  const putBack = (job: Followed, sentMs: number) => {
    const { durations, startMs, settledMs } = job
    const at =
      settledMs === null
        ? plan.nextRead({ nowMs: now, sentMs, since: new Date(startMs), viewed: false })
        : durations.kind === 'agent_jobs'
          ? plan.nextSettledRead({ nowMs: now, settledAt: new Date(settledMs) })
          : null
    if (at !== null) {
      job.at = at.getTime()
      due.put(job)
    }
  }

  const call = (job: Followed) => {
    const startMs = now
    const takesMs = meanCallMs * (0.5 + random())
    const arrivesMs = now + takesMs / 2
    inFlight += 1
    const end = () => {
      inFlight -= 1
      if (!service.answers(arrivesMs)) {
        job.at = service.freeAt()
        due.put(job)
        return
      }
      if (job.settledMs === null && job.endMs <= arrivesMs) {
        changing.delete(job)
        if (isMeasured(job)) {
          lateMs.push(now - job.endMs)
          overMs = now
        }
        job.settledMs = now
      }
      putBack(job, startMs)
    }
    calls.put({ at: now + takesMs, end })
  }

  let started = 0
  let passAt = 0
  const pass = async () => {
    await plan.refresh()
    passAt = Infinity
    while (inFlight < concurrency) {
      const first = due.first()
      if (first === undefined) return
      if (first.at > now) {
        passAt = Math.max(now + idlePassMs, first.at)
        return
      }
      const grant = takeTokens(budget, level, { nowMs: now, wanted: 1, click: false })
      level = grant.level
      if (grant.granted === 0) {
        passAt = Math.max(now + idlePassMs, grant.nextAtMs ?? now)
        return
      }
      call(due.take()!)
    }
  }

  while (lateMs.length < wanted) {
    const startAt = jobs[started]?.startMs ?? Infinity
    const callAt = calls.first()?.at ?? Infinity
    now = Math.min(startAt, callAt, passAt)
    if (now === Infinity) break
    if (startAt === now) {
      const job: Followed = { ...jobs[started]!, at: 0, settledMs: null }
      changing.add(job)
      started += 1
      putBack(job, now)
    } else if (callAt === now) calls.take()!.end()
    await pass()
  }
  return {
    lateMs,
    jobs: wanted,
    calls: service.calls(),
    refused: service.refused(),
    busiestHour: service.busiestHour(),
    overMs,
  }
}
