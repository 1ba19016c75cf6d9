import type { ListQuery } from '@docket/api-types/list'
import { and, eq, gte, isNotNull, isNull, lt, not, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#ground/db/database.ts'
import { isUnwatchedConnection, isWatched } from '#ground/db/connections.table.ts'
import {
  asksForAttention,
  hasManyMatches,
  capCount,
  countAttention,
  countFiltered,
  countGroups,
  countMatches,
  countRemoved,
  selectMatchesAmongFirst,
  selectMatchesBeforeSorting,
  isAmongLastRemoved,
  matchesAnyValue,
} from '#ground/db/list-queries.ts'
import { createPages, type Order } from '#ground/db/pages.ts'
import { readConnectionGroupCounts, readGroupCounts, type CountedList } from '#ground/db/revision.ts'
import { matchesSearchTerms } from '#ground/db/search.ts'
import { refusedFieldError } from '#ground/errors/app-error.ts'

type Names = readonly string[] | null

const piece = 1_000

export async function* mapPieces<Row, Out>(
  pieces: AsyncIterable<readonly Row[]>,
  convert: (rows: readonly Row[]) => Out[] | Promise<Out[]>,
) {
  for await (const rows of pieces) yield convert(rows)
}

/**
 * The list of one kind of records, in pages and counts. `scope` names the part of a token's scope that limits it, and its column; `lead` is
 * the sort besides `newest` and `oldest`; `filter` is the condition for the query parameters that only this list has.
 */
export const createRecordList = <
  Row extends { removedAt: Date | null },
  Query extends ListQuery,
  Group extends string,
  Scope extends string,
>(kind: {
  list: CountedList & { table: Parameters<typeof countGroups>[1] & Record<'connectionId', PgColumn> }
  groups: readonly Group[]
  /** Group of the records that can still change. */
  active: Group
  scope: { name: Scope; column: PgColumn }
  order: Order<Row>
  lead: Order<Row>['lead']
  words: SQL
  filter: (query: Query) => SQL | undefined
}) => {
  const { groups: names, active, scope, order, lead, words, filter } = kind
  const { name, table } = kind.list
  const newest = createPages(order)
  const oldest = createPages({ ...order, oldestFirst: true })
  const byLead = createPages({ ...order, ...(lead && { lead }) })
  const removal: Order<Row> = {
    ...order,
    at: table.removedAt,
    toPlace: (row) => [row.removedAt?.getTime() ?? 0, order.toPlace(row)[1]],
  }
  const lastRemoved = createPages(removal)
  const firstRemoved = createPages({ ...removal, oldestFirst: true })
  const empty = Object.fromEntries(names.map((group) => [group, 0])) as Record<Group, number>
  type Visible = { connectionIds: Names } & Record<Scope, Names>
  type Asked = Query & { group?: Group | undefined; sort: string }

  const select = (db: Database, which: SQL | undefined, by: readonly SQL[], limit: number) =>
    db
      .select()
      .from(table as PgTable)
      .where(which)
      .orderBy(...by)
      .limit(limit) as unknown as PromiseLike<Row[]>

  const seen = (visible: Visible) =>
    and(matchesAnyValue(scope.column, visible[scope.name]), matchesAnyValue(table.connectionId, visible.connectionIds))

  const watched = isWatched(table.connectionId)
  const inProgress = and(eq(table.group, active), watched)

  /** Counts records that could change, but that nobody watches: they are on the list, and in no count of the active group. */
  const countUnwatched = async (db: Database, visible: Visible, filtered?: SQL): Promise<number> => {
    const { rows } = await db.execute<{ count: number | null }>(
      sql`select sum((l.connection_counts ->> (c.connection_id || '/' || ${active}))::int)::int as count
        from list_revisions l cross join connections c where l.list = ${name} and ${isUnwatchedConnection}`,
    )
    const all = rows[0]?.count ?? 0
    const own = seen(visible)
    if (all === 0 || (own === undefined && filtered === undefined)) return all
    const which = and(eq(table.group, active), not(watched), filtered, own)
    return (await countMatches(db, table, which, newest.order)).count
  }

  const countWithin = (db: Database, visible: Visible): Promise<Record<string, number>> => {
    if (visible[scope.name] !== null) return countGroups(db, table, seen(visible))
    return visible.connectionIds === null
      ? readGroupCounts(db, name)
      : readConnectionGroupCounts(db, name, visible.connectionIds)
  }

  const inDates = ({ from, to }: Asked): SQL | undefined => {
    if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
      throw refusedFieldError('to', 'to: This is not after `from`.')
    return and(
      from === undefined ? undefined : gte(order.at, new Date(from)),
      to === undefined ? undefined : lt(order.at, new Date(to)),
    )
  }

  const toFilter = (query: Asked): SQL | undefined =>
    and(filter(query), inDates(query), matchesSearchTerms(words, query.q))

  const inState = ({ group, attention }: Asked) =>
    and(
      group === undefined ? undefined : group === active ? inProgress : eq(table.group, group),
      attention === true ? asksForAttention(table) : undefined,
    )

  const isSearch = (query: Asked) => matchesSearchTerms(words, query.q) !== undefined

  const removedWithin = (query: Asked, own: SQL | undefined) =>
    and(isNotNull(table.removedAt), isSearch(query) ? isAmongLastRemoved(table) : undefined, toFilter(query), own)

  /** Counts within the filters, and how many match all of `query`; null without any filter. */
  const countWithFilter = async (db: Database, query: Asked, visible: Visible) => {
    const filtered = toFilter(query)
    const own = seen(visible)
    const { group, attention = false } = query
    const isCommon = isSearch(query) && (await hasManyMatches(db, table, and(filtered, own)))
    // The word index and the trouble index have another order.
    const by = isSearch(query) && !isCommon ? null : newest.order
    const sizes = isCommon ? await readGroupCounts(db, name) : undefined
    if (filtered === undefined)
      return attention
        ? { filtered: null, matches: await countMatches(db, table, and(inState(query), own), null) }
        : { filtered: null, matches: null }
    const [{ counts, troubled }, unwatched] = await Promise.all([
      countFiltered(db, table, and(filtered, own), { groups: names, by, sizes }),
      countUnwatched(db, visible, filtered),
    ])
    const inGroup = counts.groups[active]!
    counts.groups[active] = { ...inGroup, count: Math.max(0, inGroup.count - unwatched) }
    const ofGroup = group === undefined ? counts.all : counts.groups[group]!
    if (!attention) return { filtered: counts, matches: ofGroup }
    if (group === undefined) return { filtered: counts, matches: counts.attention }
    const matches =
      troubled === null
        ? await countMatches(db, table, and(inState(query), filtered, own), null)
        : capCount(troubled[group] ?? 0)
    return { filtered: counts, matches }
  }

  const count = async (db: Database, query: Asked, visible: Visible) => {
    const own = seen(visible)
    const [byGroup, unwatched, attention, { filtered, matches }, removed] = await Promise.all([
      countWithin(db, visible),
      countUnwatched(db, visible),
      countAttention(db, table, own, newest.order),
      countWithFilter(db, query, visible),
      countRemoved(db, table, removedWithin(query, own)),
    ])
    const groups = { ...empty, ...byGroup, [active]: (byGroup[active] ?? 0) - unwatched } as Record<Group, number>
    const all = Object.values<number>(groups).reduce((sum, found) => sum + found, unwatched)
    const inList = matches ?? (query.group === undefined ? null : { count: groups[query.group], more: false })
    const matching = query.removed === true ? removed : inList
    return { counts: { all, active: groups[active], attention, groups, matching, filtered, removed } }
  }

  const rowsOfPage = (db: Database, query: Asked, visible: Visible) => {
    const own = seen(visible)
    if (query.removed === true) {
      const { order: by, read } = query.sort === 'oldest' ? firstRemoved : lastRemoved
      const which = removedWithin(query, own)
      return read(query, (range, limit) => select(db, and(which, range), by, limit))
    }
    const { order: by, read } = query.sort === 'newest' ? newest : query.sort === 'oldest' ? oldest : byLead
    const which = and(isNull(table.removedAt), inState(query), toFilter(query), own)
    return read(query, async (range, limit) => {
      const inRange = and(which, range)
      if (query.attention !== true && !isSearch(query)) return select(db, inRange, by, limit)
      if (query.attention !== true && (await hasManyMatches(db, table, inRange))) {
        const among = { range: and(inState(query), range), which: inRange }
        const rows = await select(db, selectMatchesAmongFirst(table, among, by, limit), by, limit)
        if (rows.length === limit) return rows
      }
      return select(db, selectMatchesBeforeSorting(table, inRange, by, limit), by, limit)
    })
  }

  /**
   * Returns all matching records in batches. Reads the first batch at once, so that an invalid filter rejects, and the others on demand.
   */
  const allRows = async (db: Database, query: Asked, visible: Visible) => {
    const read = (cursor?: string) => rowsOfPage(db, { ...query, cursor, until: undefined, limit: piece }, visible)
    const first = await read()
    return (async function* () {
      for (let page = first; ; page = await read(page.nextCursor)) {
        yield page.items
        if (page.nextCursor === null) return
      }
    })()
  }

  return {
    rowsOfPage,
    allRows,
    page: async (db: Database, query: Asked, visible: Visible) => {
      const [page, counts] = await Promise.all([rowsOfPage(db, query, visible), count(db, query, visible)])
      return { ...page, ...counts }
    },
    countActive: async (db: Database, visible: Visible) => {
      const [counts, unwatched] = await Promise.all([countWithin(db, visible), countUnwatched(db, visible)])
      return (counts[active] ?? 0) - unwatched
    },
    seen,
    newestActive: (db: Database, limit: number, visible: Visible) =>
      select(db, and(inProgress, isNull(table.removedAt), seen(visible)), newest.order, limit),
  }
}
