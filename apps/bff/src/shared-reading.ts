import { countActive as countActiveJobs } from '#agent-jobs/agent-jobs.list.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import type { SharedReading } from '#metrics/database-metrics.ts'
import { countActive as countActiveExports } from '#static-exports/static-exports.list.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import type { callPermits } from '#watch/permits/permits.ts'
import type { CallClass } from '#watch/permits/permits.table.ts'
import { watchedReading } from '#watch/watched-reading.ts'

/** How the watching of both kinds of records stands, over all processes. Reads the database by `probes`. */
export const sharedReading =
  (deps: {
    probes: Database
    permits: ReturnType<typeof callPermits>
    callsPerHour: number
    leaseMs: number
    now: () => number
  }) =>
  async (): Promise<SharedReading> => {
    const { probes, permits, callsPerHour, leaseMs, now } = deps
    const [exporting, working, exportsRead, jobsRead] = await Promise.all([
      countActiveExports(probes),
      countActiveJobs(probes),
      watchedReading(probes, staticExports, { now: now(), leaseMs }),
      watchedReading(probes, agentJobs, { now: now(), leaseMs }),
    ])
    const { budget, gates } = await permits.report(probes)
    const stateOf = (kind: CallClass) => (gates.some(({ calls }) => calls === kind) ? 'closed' : 'open')
    return {
      kinds: {
        static_exports: { active: exporting, ...exportsRead },
        agent_jobs: { active: working, ...jobsRead },
      },
      budget: callsPerHour === 0 ? null : budget,
      gates: { static_exports: stateOf('static_exports'), agent_jobs: stateOf('agent_jobs') },
    }
  }
