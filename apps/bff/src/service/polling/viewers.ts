import { and, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { type ChangingTable, type RecordKind } from './read-interval.ts'
import { isChangingRecord } from './demand.ts'
import type { Schedule } from './schedule.ts'
import { realTimer, type Timer } from '#ground/clock.ts'

/** Values of a record's key columns, such as `[exportId]` or `[connectionId, projectId, id]`. */
export type RecordName = readonly string[]

export type ViewedKind = {
  table: ChangingTable
  key: readonly PgColumn[]
  /** Called when the next read of a record was moved forward. */
  wake: () => void
}

/** A record counts as on screen this long after the last poll of its page. Milliseconds. */
const holdMs = 60_000
const flushAfterMs = 2_000
const maxNames = 5_000

type Seen = {
  name: string[]
  connectionId: string
  /** Start of the age that decides the interval. */
  since: Date | null
  checkedAt: Date | null
  nextCheckAt: Date
  viewedUntil: Date | null
  failures: number
}

/** Returns the next read of a record on screen. Keeps the planned time if that is sooner, or while failures delay it. */
const planSooner = (viewed: Seen, nowMs: number, schedule: Pick<Schedule, 'nextRead'> | undefined): Date => {
  const { since, checkedAt, nextCheckAt, failures } = viewed
  if (schedule === undefined || since === null || checkedAt === null || failures > 0) return nextCheckAt
  const fromMs = Math.min(checkedAt.getTime(), nowMs)
  const intervalMs = schedule.nextRead({ nowMs: fromMs, since, viewed: true }).getTime() - fromMs
  // The schedule varies intervals at random, so only a clear difference is worth a write.
  if (nextCheckAt.getTime() - fromMs <= 1.3 * intervalMs) return nextCheckAt
  return new Date(Math.max(nowMs, fromMs + intervalMs))
}

const writeSeen = (tx: Tx, { table, key }: ViewedKind, until: Date, rows: readonly { name: string[]; at: Date }[]) => {
  const column = (values: readonly (string | Date)[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`
  const keys = key.map((keyColumn, place) =>
    column(
      rows.map(({ name }) => name[place]!),
      keyColumn.getSQLType(),
    ),
  )
  const times = column(
    rows.map(({ at }) => at.toISOString()),
    'timestamptz',
  )
  const names = sql.raw([...key.map((_, place) => `k${place}`), 'at'].join(', '))
  const same = key.map((keyColumn, place) => sql`${keyColumn} = seen.${sql.raw(`k${place}`)}`)
  return tx.execute(sql`update ${table} set viewed_until = ${until.toISOString()}::timestamptz, next_check_at = seen.at
    from unnest(${sql.join([...keys, times], sql`, `)}) as seen(${names}) where ${and(...same)}`)
}

/** Writes in batches. Safe with several replicas. */
export const trackViewers = (options: {
  db: Database
  kinds: Readonly<Record<RecordKind, ViewedKind>>
  /** Undefined while the records of the connection are not read. */
  scheduleOf: (connectionId: string) => Pick<Schedule, 'nextRead'> | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  timer?: Timer
}) => {
  const { db, kinds, scheduleOf, now, log, timer = realTimer } = options
  const noted = new Map<RecordKind, Map<string, RecordName>>()
  let cancel: (() => void) | undefined
  let flushing: Promise<void> = Promise.resolve()
  let stopped = false

  const flushKind = async (kind: RecordKind, names: readonly RecordName[]) => {
    const viewed = kinds[kind]
    const { table, key } = viewed
    const pulled = await db.transaction(async (tx) => {
      const columns = key.map(
        (column, place) => sql`${sql.param(names.map((name) => name[place]!))}::${sql.raw(column.getSQLType())}[]`,
      )
      const wanted = sql`(${sql.join([...key], sql`, `)}) in (select * from unnest(${sql.join(columns, sql`, `)}))`
      // Rows that are locked now are skipped; the next poll of the page tracks their records.
      const rows = (await tx
        .select({
          name: sql<string[]>`array[${sql.join(
            key.map((column) => sql`${column}::text`),
            sql`, `,
          )}]`,
          connectionId: table.connectionId,
          since: (table.awaitedSince === undefined
            ? table.changingSince
            : sql`coalesce(${table.awaitedSince}, ${table.changingSince})`.mapWith(table.changingSince)) as PgColumn,
          checkedAt: table.checkedAt,
          nextCheckAt: table.nextCheckAt,
          viewedUntil: table.viewedUntil,
          failures: table.failures,
        })
        .from(table as PgTable)
        .where(and(isChangingRecord(table, now()), wanted))
        .for('update', { skipLocked: true })) as Seen[]
      const plans = rows.map((row) => ({ ...row, at: planSooner(row, now(), scheduleOf(row.connectionId)) }))
      const earlier = plans.filter(({ at, nextCheckAt }) => at < nextCheckAt)
      const expiring = ({ viewedUntil }: Seen) => (viewedUntil?.getTime() ?? 0) < now() + holdMs / 2
      const changed = plans.filter((row) => row.at < row.nextCheckAt || expiring(row))
      if (changed.length > 0) await writeSeen(tx, viewed, new Date(now() + holdMs), changed)
      return earlier.length
    })
    if (pulled > 0) viewed.wake()
  }

  const flushAll = async () => {
    cancel?.()
    cancel = undefined
    const batch = [...noted]
    noted.clear()
    for (const [kind, names] of batch)
      await flushKind(kind, [...names.values()]).catch((error: unknown) => {
        log.debug({ err: error, kind }, 'what readers look at could not be written')
      })
  }
  const flush = () => (flushing = flushing.then(flushAll))

  return {
    /** Cheap; the records are written to the database within seconds. */
    note: (kind: RecordKind, names: readonly RecordName[]) => {
      if (stopped || names.length === 0) return
      const known = noted.get(kind) ?? new Map<string, RecordName>()
      noted.set(kind, known)
      for (const name of names) if (known.size < maxNames) known.set(JSON.stringify(name), name)
      cancel ??= timer(() => void flush(), flushAfterMs)
    },
    /** Writes the noted records; also runs by itself. Never rejects: the next poll of a page notes them again. */
    flush,
    stop: async () => {
      stopped = true
      cancel?.()
      noted.clear()
      await flushing
    },
  }
}
