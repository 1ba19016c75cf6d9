import { eq } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { ConnectionRow } from '#service/connections/connection-rows.ts'
import { watchKeyHealth } from '#service/connections/key-health.ts'
import type { ServiceClient } from '#service/connections/open-client.ts'
import type { Ctx } from '#ground/ctx.ts'
import { makeFailedReadsDue } from '#service/polling/due-reads.ts'
import { readDemand } from '#service/polling/demand.ts'
import { leaseDuration, polling } from '#service/polling/polling.ts'
import { type ChangingTable, floorMs } from '#service/polling/read-interval.ts'
import { schedule } from '#service/polling/schedule.ts'
import { type CallLimiter, createRateLimit } from '#service/rate-limit/limiter.ts'

export type ReadTable = ChangingTable & { checkFailure: PgColumn }

export const openConnection = (
  row: ConnectionRow,
  client: ServiceClient,
  deps: Ctx & {
    tables: readonly ReadTable[]
    /** True when no other process uses the database. */
    alone: boolean
    /** True to test every new key. */
    testKeys: boolean
    /** Called when records of the connection became due. */
    wake: () => void
  },
) => {
  const { db, now, log, tables, alone, wake } = deps
  const { connectionId, callsPerHour, timeoutMs } = row
  const { adminApi, hasReadKey } = client
  const embedded = row.kind === 'embedded'
  const shortest = { floorMs: floorMs({ embedded }) }
  const plan = schedule({
    callsPerHour,
    ...shortest,
    demand: (nowMs) => readDemand(db, tables, { connectionId, nowMs, ...shortest }),
    now,
  })
  const limits = createRateLimit({
    db,
    connectionId,
    hasReadKey,
    callsPerHour,
    leaseMs: leaseDuration(timeoutMs),
    now,
    log,
  })
  const readRejectedNow = async () => {
    for (const table of tables) {
      const readable = eq(table.connectionId, connectionId)
      await makeFailedReadsDue(db, table, { codes: ['upstream_key_rejected'], now: now(), readable })
    }
    wake()
  }
  const keys = watchKeyHealth({
    db,
    row,
    client,
    limiters: limits.limiters,
    onNewKey: limits.reopen,
    onProven: readRejectedNow,
    now,
    log,
  })
  client.onOutcome(keys.noteOutcome)
  return {
    row,
    adminApi,
    limits,
    schedule: plan,
    keys,
    embedded,
    pollingBy: (limiter: CallLimiter) =>
      polling({ connectionId, now, limiter, schedule: plan, embedded, alone, callTimeoutMs: timeoutMs }),
    tick: async () => {
      if (deps.testKeys) await keys.tick()
    },
    stop: limits.close,
    close: () => client.close(),
  }
}

export type OpenConnection = ReturnType<typeof openConnection>
