import type { MatchCount } from '@docket/api-types/list'
import { and, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { needsAttention } from './attention.ts'
import { isWatched } from './connections.table.ts'
import type { Database } from './database.ts'

/** A table whose records a list shows. The list hides removed records, and marks those that need attention. */
export type ListedTable = PgTable & Record<'removedAt' | 'troubledAt' | 'settledTrouble' | 'connectionId', PgColumn>

/** Condition for records that need attention, and whose connection is watched. */
export const asksForAttention = (table: ListedTable) => and(needsAttention(table), isWatched(table.connectionId))

const maxMatches = 1_000
const maxValues = 100
/**
 * Maximum number of records to read: of listed records in a search for a common word, of removed records in any search, and of records in
 * trouble in a count.
 */
const maxSearched = 10_000

export const capCount = (count: number): MatchCount => ({
  count: Math.min(count, maxMatches),
  more: count > maxMatches,
})

/** Condition that a column has one of these values. Undefined for null, which means all values. */
export const matchesAnyValue = (column: PgColumn, values: readonly string[] | null): SQL | undefined =>
  values === null ? undefined : inArray(column, [...values])

/**
 * Counts per group of the listed records within `which`; omits empty groups. Reads all of them, so use it only where
 * few match.
 */
export const countGroups = async (
  db: Database,
  table: ListedTable & Record<'group', PgColumn>,
  which: SQL | undefined,
): Promise<Record<string, number>> => {
  const rows = await db
    .select({ group: sql<string>`${table.group}`, count: sql<number>`count(*)::int` })
    .from(table as PgTable)
    .where(and(isNull(table.removedAt), which))
    .groupBy(table.group)
  return Object.fromEntries(rows.map(({ group, count }) => [group, count]))
}

/**
 * Finds all matching rows by the index of words or of attention, then sorts them and returns the first `limit`. Without `offset 0`, the
 * database would walk the list in order and test each row, which reads the whole list for a rare word.
 */
export const selectMatchesBeforeSorting = (
  table: ListedTable,
  which: SQL | undefined,
  by: readonly SQL[],
  limit: number,
): SQL =>
  sql`${table}.ctid = any(array(
    select ctid from (select ${table}.ctid, ${table}.* from ${table} where ${which} offset 0) as ${table}
    order by ${sql.join([...by], sql`, `)} limit ${limit}))`

const selectFirstListed = (table: ListedTable, which: SQL | undefined, by: readonly SQL[]): SQL =>
  sql`(select ${table}.ctid, ${table}.* from ${table} where ${and(isNull(table.removedAt), which)}
    order by ${sql.join([...by], sql`, `)} limit ${maxSearched}) as ${table}`

/**
 * Finds the first `limit` matches among the first 10,000 listed records of `range`. For common words, which the index of words finds
 * in more records than the database can sort in time.
 */
export const selectMatchesAmongFirst = (
  table: ListedTable,
  { range, which }: { range: SQL | undefined; which: SQL | undefined },
  by: readonly SQL[],
  limit: number,
): SQL =>
  sql`${table}.ctid = any(array(select ctid from ${selectFirstListed(table, range, by)} where ${which}
    order by ${sql.join([...by], sql`, `)} limit ${limit}))`

/** Whether more than 10,000 listed records match, as the database estimates it. */
export const hasManyMatches = async (db: Database, table: ListedTable, which: SQL | undefined): Promise<boolean> => {
  const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    sql`explain (format json) select 1 from ${table} where ${and(isNull(table.removedAt), which)}`,
  )
  return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'] > maxSearched
}

/**
 * Number of matching records, exact up to 1,000. With the order `by`, reads at most that many entries of its index;
 * without it, all entries that the search index finds.
 */
export const countMatches = async (
  db: Database,
  table: ListedTable,
  which: SQL | undefined,
  by: readonly SQL[] | null,
): Promise<MatchCount> => {
  const matching = sql`select 1 from ${table} where ${and(isNull(table.removedAt), which)}`
  const most = maxMatches + 1
  const { rows } = await db.execute<{ count: number }>(
    by === null
      ? sql`with found as materialized (${matching}) select count(*)::int from (select from found limit ${most}) as matches`
      : sql`select count(*)::int from (${matching} order by ${sql.join([...by], sql`, `)} limit ${most}) as matches`,
  )
  return capCount(rows[0]?.count ?? 0)
}

/** Matches of a filter: of any group, of each group, and those that need attention. */
export type FilteredCounts = { all: MatchCount; attention: MatchCount; groups: Record<string, MatchCount> }

/**
 * Counts the matching records of each group, and those that need attention, all exact up to 1,000. With the
 * order `by`, reads at most that many index entries of each; without it, all entries that the search index finds. With `sizes` of the
 * groups, looks only at the first 10,000 records of each, so a count may be the least that there are.
 */
export const countFiltered = async (
  db: Database,
  table: ListedTable & Record<'group', PgColumn>,
  which: SQL | undefined,
  {
    groups,
    by,
    sizes,
  }: { groups: readonly string[]; by: readonly SQL[] | null; sizes?: Record<string, number> | undefined },
): Promise<{ counts: FilteredCounts; troubled: Record<string, number> | null }> => {
  const listed = and(isNull(table.removedAt), which)
  const most = maxMatches + 1
  const countOne = (name: string, matching: SQL) =>
    sql`select ${name}::text as name, count(*)::int as count, 0 as troubled from (${matching} limit ${most}) as m`
  const oneByOne = () =>
    sql.join(
      [
        ...groups.map((group) =>
          countOne(
            group,
            sizes === undefined
              ? sql`select 1 from ${table} where ${and(eq(table.group, group), listed)} order by ${sql.join([...by!], sql`, `)}`
              : sql`select 1 from ${selectFirstListed(table, eq(table.group, group), by!)} where ${which}`,
          ),
        ),
        // The index of trouble comes first, because it has few records.
        countOne('', sql`select 1 from ${selectFirstListed(table, asksForAttention(table), by!)} where ${which}`),
      ],
      sql` union all `,
    )
  const together = () =>
    sql`with found as materialized (
      select ${table.group} as name, ${asksForAttention(table)} as troubled from ${table} where ${listed})
      select name, count(*)::int as count, (count(*) filter (where troubled))::int as troubled from found group by name`
  const { rows } = await db.execute<{ name: string; count: number; troubled: number }>(
    by === null ? together() : oneByOne(),
  )
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  const troubled = by === null ? Object.fromEntries(rows.map((row) => [row.name, row.troubled])) : null
  const sum = (numbers: readonly number[]) => numbers.reduce((total, count) => total + count, 0)
  const ofGroups = groups.map((group): [string, MatchCount] => {
    const { count, more } = capCount(counts.get(group) ?? 0)
    return [group, { count, more: more || (sizes?.[group] ?? 0) > maxSearched }]
  })
  const all = capCount(sum(groups.map((group) => counts.get(group) ?? 0)))
  return {
    counts: {
      all: { ...all, more: all.more || ofGroups.some(([, { more }]) => more) },
      attention: capCount(troubled === null ? (counts.get('') ?? 0) : sum(Object.values(troubled))),
      groups: Object.fromEntries(ofGroups),
    },
    troubled,
  }
}

/** Condition for the most recently removed records, because the search index has only listed ones. */
export const isAmongLastRemoved = (table: ListedTable): SQL =>
  sql`${table.removedAt} >= coalesce((select ${table.removedAt} from ${table} where ${isNotNull(table.removedAt)}
    order by ${table.removedAt} desc offset ${maxSearched - 1} limit 1), '-infinity')`

export const countRemoved = async (db: Database, table: ListedTable, which: SQL | undefined): Promise<MatchCount> => {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int from (select 1 from ${table} where ${and(isNotNull(table.removedAt), which)}
      order by ${table.removedAt} desc limit ${maxMatches + 1}) as matches`,
  )
  return capCount(rows[0]?.count ?? 0)
}

/** Number of records that need attention, among the first 10,000 of them in the order `by`. Undefined `which`: all of these. */
export const countAttention = async (
  db: Database,
  table: ListedTable,
  which: SQL | undefined,
  by: readonly SQL[],
): Promise<number> => {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int from ${selectFirstListed(table, asksForAttention(table), by)} where ${which ?? sql`true`}`,
  )
  return rows[0]?.count ?? 0
}

/**
 * Reads the first 100 different values of a column among listed records (within `which`), sorted. Uses the column's index to skip from one
 * value to the next.
 */
export const readDistinctValues = async (
  db: Database,
  table: ListedTable,
  column: PgColumn,
  which?: SQL,
): Promise<string[]> => {
  const next = (after: SQL | undefined) =>
    db
      .select({ value: sql<string>`${column}`.as('value') })
      .from(table as PgTable)
      .where(and(isNull(table.removedAt), sql`${column} is not null`, which, after))
      .orderBy(column)
      .limit(1)
  const { rows } = await db.execute<{ value: string }>(sql`with recursive found(value) as (
      ${next(undefined)}
      union all
      select ${next(sql`${column} > found.value`)} from found where found.value is not null
    ) select value from found where value is not null limit ${maxValues}`)
  return rows.map(({ value }) => value)
}
