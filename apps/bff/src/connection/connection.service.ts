import type { ConnectionReport } from '@docket/api-types/connection'
import type { RateLimit } from '#rate-limit/rate-limit.ts'
import type { WatchedClass } from '#rate-limit/rate-limit.table.ts'
import type { CallReport } from '#rate-limit/call-report.ts'
import type { LateReads } from '#polling/due-reads.ts'

type NextCheck = ConnectionReport['nextChecks'][number]

/** Reads of one kind of records. */
export type ReadKind = {
  calls: WatchedClass
  late: () => Promise<LateReads>
  /** The reads that come next, the first one first. */
  next: (limit: number) => Promise<NextCheck[]>
}

const maxListed = 10

const whyLate = ({ budget, gates, connection, watching }: CallReport, late: readonly WatchedClass[]): string | null => {
  if (late.length === 0) return null
  if (!watching.polls)
    return 'ADMIN_API_CALLS_PER_HOUR is 0, so nothing is read by itself. Use “Check now”, or allow calls.'
  const gate = gates.find(({ calls }) => late.some((kind) => kind === calls))
  if (gate !== undefined) return gate.message
  // Limits of the other class of calls do not delay these reads.
  if (gates.every(({ calls }) => calls === 'agent_prompts') && watching.heldBack !== null) return watching.heldBack
  if (budget.nextPollAt !== null)
    return `The budget of ${budget.callsPerHour} calls an hour (ADMIN_API_CALLS_PER_HOUR) does not suffice for all records that are due, so they take turns.`
  return connection.message
}

/** Combines the reports of each kind of records and of the shared limits. */
export const connectionService = (deps: {
  limits: Pick<RateLimit, 'report' | 'calls'>
  kinds: readonly ReadKind[]
  retentionDays: ConnectionReport['retentionDays']
}) => {
  const { limits, kinds, retentionDays } = deps
  return {
    read: async () => {
      const [report, calls, late, next] = await Promise.all([
        limits.report(),
        limits.calls(),
        Promise.all(kinds.map(async (kind) => ({ calls: kind.calls, ...(await kind.late()) }))),
        Promise.all(kinds.map((kind) => kind.next(maxListed))),
      ])
      const behind = late.filter(({ count }) => count > 0)
      return {
        budget: report.budget,
        gates: report.gates,
        ...calls,
        late: {
          count: behind.reduce((sum, { count }) => sum + count, 0),
          byMs: Math.max(0, ...behind.map(({ oldestMs }) => oldestMs)),
          why: whyLate(
            report,
            behind.map((kind) => kind.calls),
          ),
        },
        nextChecks: next
          .flat()
          .toSorted((a, b) => a.nextCheckAt.localeCompare(b.nextCheckAt))
          .slice(0, maxListed),
        retentionDays,
      }
    },
  }
}

/** Everything Docket knows about its talk with the Admin API. */
export type ConnectionService = ReturnType<typeof connectionService>
