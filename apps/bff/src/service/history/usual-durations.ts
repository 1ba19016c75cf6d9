import type { UsualDuration } from '@docket/api-types/list'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#ground/db/database.ts'

const minSample = 5
/** Maximum age of the durations for an estimate. */
const maxSample = 100
const cachedMs = 10_000
const maxCached = 1_000

/** `by` is the column that groups the records. */
export type Timed = { table: PgTable & Record<'tookMs' | 'finishedAt', PgColumn>; by: PgColumn }

type Found = { key: string | null; sample: number; took: number[] | null }

const toUsualDuration = ({ sample, took }: Found): UsualDuration | null => {
  const [p25Ms, p50Ms, p75Ms, p95Ms] = took ?? []
  if (sample < minSample || p25Ms === undefined || p50Ms === undefined) return null
  return { sample, p25Ms, p50Ms, p75Ms: p75Ms ?? p50Ms, p95Ms: p95Ms ?? p50Ms }
}

/**
 * Durations of the last hundred finished records per key; a null key means all records. Null with fewer than five records. Each percentile
 * is a real duration, so "longer than 95 %" is never exaggerated. Makes one query on an index.
 */
export const readUsualDurations = async (
  tx: Tx,
  { table, by }: Timed,
  keys: readonly (string | null)[],
): Promise<Map<string | null, UsualDuration | null>> => {
  if (keys.length === 0) return new Map()
  const nonNull = keys.filter((key) => key !== null)
  const latest = sql`order by ${table.finishedAt} desc limit ${maxSample}`
  const timed = sql`${table.tookMs} is not null`
  const summary = sql`count(*)::int as sample, percentile_disc(array[0.25, 0.5, 0.75, 0.95]) within group (order by took_ms::float8) as took`
  const { rows } = await tx.execute<Found>(sql`
    select k.key, s.sample, s.took from unnest(${sql.param(nonNull)}::text[]) as k(key) cross join lateral (
      select ${summary} from (select ${table.tookMs} from ${table} where ${by} = k.key and ${timed} ${latest}) as earlier
    ) as s
    ${
      nonNull.length === keys.length
        ? sql``
        : sql`union all select null, ${summary} from (select ${table.tookMs} from ${table} where ${timed} ${latest}) as earlier`
    }`)
  return new Map(rows.map((row) => [row.key, toUsualDuration(row)]))
}

/** Caches `readUsualDurations` for ten seconds, for lists that are polled. `now`: milliseconds since the epoch. */
export const cacheUsualDurations = (timed: Timed, now: () => number) => {
  const known = new Map<string | null, { foundAt: number; usual: UsualDuration | null }>()
  return async (tx: Tx, keys: readonly (string | null)[]): Promise<Map<string | null, UsualDuration | null>> => {
    const at = now()
    const isFresh = (key: string | null) => {
      const foundAt = known.get(key)?.foundAt ?? -Infinity
      return foundAt <= at && at < foundAt + cachedMs
    }
    const wanted = [...new Set(keys)]
    const found = await readUsualDurations(
      tx,
      timed,
      wanted.filter((key) => !isFresh(key)),
    )
    if (known.size + found.size > maxCached) known.clear()
    for (const [key, usual] of found) known.set(key, { foundAt: at, usual })
    return new Map(wanted.map((key) => [key, known.get(key)?.usual ?? null]))
  }
}
