import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#ground/db/database.ts'
import type { ChangingTable } from '#service/polling/read-interval.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import { leaseDuration } from '#service/polling/polling.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'

/** Delays of reads, and leases, over all processes in milliseconds; 0 without a record. `leaseMs` is the duration of a lease. */
const readWatchedPolling = async (
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

/** Covers all processes. Names are label values. `probes` answer even while `db` is busy. */
export const readPollingMetrics = async ({ kinds, registry, now }: ServiceCtx, probes: Database) => {
  const readOne = async ({ row, limits }: OpenConnection) => {
    const { connectionId, callsPerHour, timeoutMs } = row
    const scope = { ...everything, connectionIds: [connectionId] }
    const readings = Object.entries(kinds).map(async ([name, { table, countActive }]) => {
      const [active, read] = await Promise.all([
        countActive(probes, scope),
        readWatchedPolling(probes, table, { connectionId, now: now(), leaseMs: leaseDuration(timeoutMs) }),
      ])
      return [name, { active, ...read }] as const
    })
    const { budget, gates } = await limits.report(probes)
    const isClosed = (name: string) => gates.some(({ calls }) => calls === name)
    return {
      kinds: Object.fromEntries(await Promise.all(readings)),
      /** Null without a limit. */
      budget: callsPerHour === 0 ? null : { left: budget.left, callsPerHour },
      /** `closed`: calls of this class are paused. */
      gates: Object.fromEntries(Object.keys(kinds).map((name) => [name, isClosed(name) ? 'closed' : 'open'] as const)),
    }
  }
  const readings = registry.all().map(async (connection) => [connection.row.name, await readOne(connection)] as const)
  return { connections: Object.fromEntries(await Promise.all(readings)) }
}

export type PollingMetrics = Awaited<ReturnType<typeof readPollingMetrics>>
