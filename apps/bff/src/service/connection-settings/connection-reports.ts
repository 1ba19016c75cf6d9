import type { ConnectionReport } from '@docket/api-types/connection'
import type { Status } from '@docket/api-types/status'
import { describeConnection, noConnection } from '#service/admin-api/connection.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { LateReads } from '#service/polling/due-reads.ts'
import type { CallReport } from '#service/rate-limit/call-report.ts'
import type { RateLimit } from '#service/rate-limit/rate-limit.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'
import type { ConnectionRegistry, Running } from '#service/connections/connection-registry.ts'
import type { KnownConnection } from '#service/connections/connection-rows.ts'
import { keyWarning } from '#service/connections/key-warning.ts'

/** What the status says about the connections. */
export type ConnectionSummary = Pick<
  Status,
  'mode' | 'deploymentKind' | 'agentJobCreation' | 'connection' | 'watching' | 'connections'
>

type Limited = Running & { limits: Pick<RateLimit, 'report' | 'calls'>; origin: string }

const neverCalled = describeConnection(noConnection)

type NextCheck = ConnectionReport['nextChecks'][number]

/** Reads of one kind of records. */
export type ReadKind = {
  calls: WatchedClass
  late: (connectionId: string) => Promise<LateReads>
  /** The reads that come next, the first one first. */
  next: (connectionId: string, limit: number) => Promise<NextCheck[]>
}

const maxListed = 10

const whyLate = ({ budget, gates, connection, watching }: CallReport, late: readonly WatchedClass[]): string | null => {
  if (late.length === 0) return null
  if (!watching.polls) return 'Polling is off, because ADMIN_API_CALLS_PER_HOUR is 0. Use “Check now”, or allow calls.'
  const gate = gates.find(({ calls }) => late.some((kind) => kind === calls))
  if (gate !== undefined) return gate.message
  // Limits of the other class of calls do not delay these reads.
  if (gates.every(({ calls }) => calls === 'agent_prompts') && watching.heldBack !== null) return watching.heldBack
  if (budget.nextPollAt !== null)
    return `The budget of ${budget.callsPerHour} calls per hour (ADMIN_API_CALLS_PER_HOUR) is too small for all due records, so they take turns.`
  return connection.message
}

/** Combines, for each connection, the reports of each kind of records and of the limits they share. */
export const connectionReports = (deps: {
  registry: Pick<ConnectionRegistry<Limited>, 'list' | 'find' | 'open' | 'countRecords'>
  kinds: readonly ReadKind[]
  retentionDays: ConnectionReport['retentionDays']
  now: () => number
}) => {
  const { registry, kinds, retentionDays, now } = deps

  const isActive = ({ use }: KnownConnection) => use === 'active'

  /** Undefined while the records of a connection are read-only. */
  const readReport = async ({ row }: KnownConnection) => registry.find(row.connectionId)?.limits.report()

  const describeReported = (
    { row, use, reason }: KnownConnection,
    { connection }: Pick<CallReport, 'connection'> = { connection: neverCalled },
    operates: TokenScope['operates'],
  ) => {
    const { connectionId, name, kind, colour, production, deploymentKind, agentJobCreation, agentJobList } = row
    return {
      connectionId,
      name,
      kind,
      colour,
      production,
      deploymentKind,
      agentJobCreation,
      agentJobList,
      use,
      useReason: reason,
      state: connection.state,
      message: connection.message,
      since: connection.since,
      keyWarning: use === 'active' ? keyWarning(row.keyExpiresOn, now()) : null,
      mayOperate: isWithin(operates, connectionId),
    }
  }

  const describe = async (known: KnownConnection, operates: TokenScope['operates']) =>
    describeReported(known, await readReport(known), operates)

  const seenBy = async ({ connectionIds }: TokenScope): Promise<KnownConnection[]> => {
    const seen = registry.list().filter(({ row }) => isWithin(connectionIds, row.connectionId))
    if (seen.every(isActive)) return seen
    const counts = await registry.countRecords()
    // One that is gone matters as long as records are left.
    return seen.filter(({ row, use }) => use !== 'gone' || counts.has(row.connectionId))
  }

  return {
    /** Describes a connection for a sender who may `operate` some. */
    describe,
    /** Connections that a sender sees: those in use, and those with records. */
    seenBy,
    /** Everything about one connection: the one asked for, else the first active one. */
    report: async (connectionId: string | undefined, { connectionIds }: TokenScope): Promise<ConnectionReport> => {
      const seen = registry.list().filter(({ row }) => isWithin(connectionIds, row.connectionId))
      const found = seen.find((known) =>
        connectionId === undefined ? isActive(known) : known.row.connectionId === connectionId,
      )
      if (found === undefined) throw new AppError('not_found', 'There is no such connection.')
      const id = found.row.connectionId
      const { limits } = registry.open(id)
      const [report, calls, late, next] = await Promise.all([
        limits.report(),
        limits.calls(),
        Promise.all(kinds.map(async (kind) => ({ calls: kind.calls, ...(await kind.late(id)) }))),
        Promise.all(kinds.map((kind) => kind.next(id, maxListed))),
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
    /** Every connection that the sender sees; the first active one speaks for all in `connection` and `watching`. */
    summary: async (scope: TokenScope): Promise<ConnectionSummary> => {
      const seen = await seenBy(scope)
      const reports = await Promise.all(seen.map(readReport))
      const place = seen.findIndex(isActive)
      const [first, report] = [seen[place], reports[place]]
      const origin = first && registry.find(first.row.connectionId)?.origin
      const active = seen.filter(isActive)
      return {
        mode: first !== undefined && active.every(({ row }) => row.kind === 'embedded') ? 'local' : 'connected',
        deploymentKind: first?.row.deploymentKind ?? 'cloud',
        agentJobCreation: active.some(({ row }) => row.agentJobCreation),
        connection: { ...(report?.connection ?? neverCalled), origin: origin ?? '' },
        watching: report?.watching ?? { polls: false, heldBack: null, until: null },
        connections: seen.map((known, index) => describeReported(known, reports[index], scope.operates)),
      }
    },
  }
}

/** Reports on the connections. */
export type ConnectionReports = ReturnType<typeof connectionReports>
