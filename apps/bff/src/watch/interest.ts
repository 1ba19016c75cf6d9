import { and, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database, Tx } from '#db/database.ts'
import { bumpRevision } from '#db/revision.ts'
import type { Log } from '#log/log.ts'
import { isChanging, type ChangingTable, type RecordKind } from '#watch/schedule/read-interval.ts'
import type { Schedule } from '#watch/schedule/schedule.ts'
import { realTimer, type Timer } from '#watch/timer.ts'

/** The values of a record's key columns, such as `[exportId]` or `[projectId, id]`. */
export type RecordName = readonly string[]

/** One kind of records that can be on a screen. */
export type ViewedKind = {
  table: ChangingTable
  key: readonly PgColumn[]
  /** Called when records became due earlier. */
  wake: () => void
}

/** Knows which records are on somebody's screen, so that they are read before others. */
export type ViewInterest = {
  /** A reader was just shown these. In memory and cheap; the database hears of it within seconds. */
  note: (kind: RecordKind, names: readonly RecordName[]) => void
  /** Writes what was noted; also runs by itself. Never rejects: what is lost is noted again by the next poll of a page. */
  flush: () => Promise<void>
  /** Writes nothing more, and waits for what is being written. */
  stop: () => Promise<void>
}

/** How long after its last poll a page still counts as looking. Milliseconds. */
const holdMs = 60_000
const flushAfterMs = 2_000
const mostNamed = 5_000

type Seen = {
  name: string[]
  changingSince: Date | null
  checkedAt: Date | null
  nextCheckAt: Date
  viewedUntil: Date | null
  failures: number
}

/** When a record that is looked at should be read; unchanged where that is later, or where failures hold it back. */
const pulledForward = (seen: Seen, nowMs: number, schedule: Pick<Schedule, 'nextRead'>): Date => {
  const { changingSince: since, checkedAt, nextCheckAt, failures } = seen
  if (since === null || checkedAt === null || failures > 0) return nextCheckAt
  const fromMs = Math.min(checkedAt.getTime(), nowMs)
  const intervalMs = schedule.nextRead({ nowMs: fromMs, since, viewed: true }).getTime() - fromMs
  // Its interval was drawn at random around the same length: only one that is clearly longer is worth a write.
  if (nextCheckAt.getTime() - fromMs <= 1.3 * intervalMs) return nextCheckAt
  return new Date(Math.max(nowMs, fromMs + intervalMs))
}

const writeSeen = (tx: Tx, { table, key }: ViewedKind, until: Date, rows: readonly { name: string[]; at: Date }[]) => {
  const column = (values: readonly (string | Date)[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`
  const keys = key.map((of, place) =>
    column(
      rows.map(({ name }) => name[place]!),
      of.getSQLType(),
    ),
  )
  const times = column(
    rows.map(({ at }) => at.toISOString()),
    'timestamptz',
  )
  const names = sql.raw([...key.map((_, place) => `k${place}`), 'at'].join(', '))
  const same = key.map((of, place) => sql`${of} = seen.${sql.raw(`k${place}`)}`)
  return tx.execute(sql`update ${table} set viewed_until = ${until.toISOString()}::timestamptz, next_check_at = seen.at
    from unnest(${sql.join([...keys, times], sql`, `)}) as seen(${names}) where ${and(...same)}`)
}

/** Of every page that polls, in bulk. Counts as a change of a list only where a next check moved, which pages show. Several replicas may note the same records. */
export const viewInterest = (options: {
  db: Database
  kinds: Readonly<Record<RecordKind, ViewedKind>>
  schedule: Pick<Schedule, 'nextRead'>
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  timer?: Timer
}): ViewInterest => {
  const { db, kinds, schedule, now, log, timer = realTimer } = options
  const noted = new Map<RecordKind, Map<string, RecordName>>()
  let cancel: (() => void) | undefined
  let flushing: Promise<void> = Promise.resolve()
  let stopped = false

  const flushKind = async (kind: RecordKind, names: readonly RecordName[]) => {
    const viewed = kinds[kind]
    const { table, key } = viewed
    const pulled = await db.transaction(async (tx) => {
      const columns = key.map(
        (of, place) => sql`${sql.param(names.map((name) => name[place]!))}::${sql.raw(of.getSQLType())}[]`,
      )
      const wanted = sql`(${sql.join([...key], sql`, `)}) in (select * from unnest(${sql.join(columns, sql`, `)}))`
      // Rows that somebody writes at this moment are noted again soon enough.
      const seen = (await tx
        .select({
          name: sql<string[]>`array[${sql.join(
            key.map((of) => sql`${of}::text`),
            sql`, `,
          )}]`,
          changingSince: table.changingSince,
          checkedAt: table.checkedAt,
          nextCheckAt: table.nextCheckAt,
          viewedUntil: table.viewedUntil,
          failures: table.failures,
        })
        .from(table as PgTable)
        .where(and(isChanging(table), wanted))
        .for('update', { skipLocked: true })) as Seen[]
      const planned = seen.map((row) => ({ ...row, at: pulledForward(row, now(), schedule) }))
      const earlier = planned.filter(({ at, nextCheckAt }) => at < nextCheckAt)
      const expiring = ({ viewedUntil }: Seen) => (viewedUntil?.getTime() ?? 0) < now() + holdMs / 2
      const changed = planned.filter((row) => row.at < row.nextCheckAt || expiring(row))
      if (changed.length > 0) await writeSeen(tx, viewed, new Date(now() + holdMs), changed)
      if (earlier.length > 0) await bumpRevision(tx, kind)
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
    note: (kind, names) => {
      if (stopped || names.length === 0) return
      const known = noted.get(kind) ?? new Map<string, RecordName>()
      noted.set(kind, known)
      for (const name of names) if (known.size < mostNamed) known.set(JSON.stringify(name), name)
      cancel ??= timer(() => void flush(), flushAfterMs)
    },
    flush,
    stop: async () => {
      stopped = true
      cancel?.()
      noted.clear()
      await flushing
    },
  }
}
