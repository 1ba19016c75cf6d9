import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#ground/db/database.ts'
import type { ChangingTable } from './read-interval.ts'
import { everything, type TokenScope } from '#ground/http/access/token-scope.ts'
import { leaseDuration } from './polling.ts'
import type { RateLimit } from '#service/rate-limit/rate-limit.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'

/** Polling of a connection over all processes, for the metrics. Times in milliseconds; names are label values. */
type ConnectionPolling = {
  kinds: Record<string, { active: number; pollLagMs: number; oldestLeaseMs: number }>
  /** Null without a limit. */
  budget: { left: number; callsPerHour: number } | null
  /** `closed`: calls of this class are paused. */
  gates: Record<string, 'open' | 'closed'>
}

/** Polling by the name of the connection. */
export type PollingMetrics = { connections: Record<string, ConnectionPolling> }

type Kind = { table: ChangingTable; countActive: (db: Database, scope: TokenScope) => Promise<number> }

/** Reads lag and leases over all processes, in milliseconds; 0 without a record. `leaseMs` is the duration of a lease. */
const watchedReading = async (
  db: Database,
  table: ChangingTable,
  { connectionId, now, leaseMs }: { connectionId: string; now: number; leaseMs: number },
) => {
  const [row] = await db
    .select({
      dueMs: sql<
        number | null
      >`(extract(epoch from min(greatest(${table.nextCheckAt}, ${table.leaseUntil}))) * 1000)::float8`,
      leaseUntilMs: sql<number | null>`(extract(epoch from min(${table.leaseUntil})) * 1000)::float8`,
    })
    .from(table as PgTable)
    .where(and(eq(table.connectionId, connectionId), isNotNull(table.nextCheckAt), isNull(table.removedAt)))
  const { dueMs = null, leaseUntilMs = null } = row ?? {}
  return {
    /** Delay of the most overdue record without a lease. */
    pollLagMs: dueMs === null ? 0 : Math.max(0, now - dueMs),
    /** Age of the oldest lease. */
    oldestLeaseMs: leaseUntilMs === null ? 0 : Math.max(0, now - (leaseUntilMs - leaseMs)),
  }
}

/** Builds the reading for the metrics. Asks the database by `probes`. */
export const pollingMetrics = (deps: {
  probes: Database
  kinds: Record<WatchedClass, Kind>
  /** The active connections. */
  connections: () => readonly {
    row: { connectionId: string; name: string; callsPerHour: number; timeoutMs: number }
    limits: RateLimit
  }[]
  now: () => number
}) => {
  const { probes, kinds, connections, now } = deps
  const readOne = async ({ row, limits }: ReturnType<typeof connections>[number]): Promise<ConnectionPolling> => {
    const { connectionId, callsPerHour, timeoutMs } = row
    const scope = { ...everything, connectionIds: [connectionId] }
    const readings = Object.entries(kinds).map(async ([name, { table, countActive }]) => {
      const [active, read] = await Promise.all([
        countActive(probes, scope),
        watchedReading(probes, table, { connectionId, now: now(), leaseMs: leaseDuration(timeoutMs) }),
      ])
      return [name, { active, ...read }] as const
    })
    const { budget, gates } = await limits.report(probes)
    const isClosed = (name: string) => gates.some(({ calls }) => calls === name)
    return {
      kinds: Object.fromEntries(await Promise.all(readings)),
      budget: callsPerHour === 0 ? null : budget,
      gates: Object.fromEntries(Object.keys(kinds).map((name) => [name, isClosed(name) ? 'closed' : 'open'])),
    }
  }
  return async (): Promise<PollingMetrics> => {
    const readings = connections().map(async (connection) => [connection.row.name, await readOne(connection)] as const)
    return { connections: Object.fromEntries(await Promise.all(readings)) }
  }
}
