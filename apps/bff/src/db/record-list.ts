import type { ListQuery } from '@docket/api-types/list'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#db/database.ts'
import { needsAttention } from '#db/attention.ts'
import { countAttention, countGroups, countMatches, foundFirst, within } from '#db/list-queries.ts'
import { pages, type Order } from '#db/pages.ts'
import { connectionGroupCounts, groupCounts, type CountedList } from '#db/revision.ts'
import { beginsTerms } from '#db/search.ts'

/** Names within a scope; null for every one. */
type Names = readonly string[] | null

/**
 * The list of one kind of records, in pages and counts. `scope` names the part of a token's scope that limits it, and its column; `lead`
 * is the sort besides `newest` and `oldest`; `filter` is the condition for what only this list's queries ask for.
 */
export const recordList = <Row, Query extends ListQuery, Group extends string, Scope extends string>(kind: {
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
  const newest = pages(order)
  const oldest = pages({ ...order, oldestFirst: true })
  const byLead = pages({ ...order, ...(lead && { lead }) })
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
    and(within(scope.column, visible[scope.name]), within(table.connectionId, visible.connectionIds))

  const countWithin = (db: Database, visible: Visible): Promise<Record<string, number>> => {
    if (visible[scope.name] !== null) return countGroups(db, table, seen(visible))
    return visible.connectionIds === null
      ? groupCounts(db, name)
      : connectionGroupCounts(db, name, visible.connectionIds)
  }

  const toFilter = (query: Asked): SQL | undefined =>
    and(filter(query), query.attention === true ? needsAttention(table) : undefined, beginsTerms(words, query.q))

  const inGroup = ({ group }: Asked) => (group === undefined ? undefined : eq(table.group, group))

  const count = async (db: Database, query: Asked, visible: Visible) => {
    const filtered = toFilter(query)
    const own = seen(visible)
    // The index of words, and that of trouble, are in another order.
    const by = query.q === undefined && query.attention !== true ? newest.order : null
    const [byGroup, attention, matches] = await Promise.all([
      countWithin(db, visible),
      countAttention(db, table, own),
      filtered === undefined ? null : countMatches(db, table, and(inGroup(query), filtered, own), by),
    ])
    const groups = { ...empty, ...byGroup }
    const all = Object.values<number>(groups).reduce((sum, found) => sum + found, 0)
    const matching = matches ?? (query.group === undefined ? null : { count: groups[query.group], more: false })
    return { counts: { all, active: groups[active], attention, groups, matching } }
  }

  /** One page of the list. */
  const rowsOfPage = (db: Database, query: Asked, visible: Visible) => {
    const { order: by, read } = query.sort === 'newest' ? newest : query.sort === 'oldest' ? oldest : byLead
    const own = seen(visible)
    const which = and(isNull(table.removedAt), inGroup(query), toFilter(query), own)
    return read(query, (range, limit) => {
      const inRange = and(which, range)
      const isRare = query.q !== undefined || query.attention === true
      return select(db, isRare ? foundFirst(table, inRange, by, limit) : inRange, by, limit)
    })
  }

  return {
    rowsOfPage,
    /** One page with the counts of the list. */
    page: async (db: Database, query: Asked, visible: Visible) => {
      const [page, counts] = await Promise.all([rowsOfPage(db, query, visible), count(db, query, visible)])
      return { ...page, ...counts }
    },
    /** How many records within the scope can still change. */
    countActive: async (db: Database, visible: Visible) => (await countWithin(db, visible))[active] ?? 0,
    /** Condition for records that the sender sees. */
    seen,
    /** The newest records within the scope that can still change. */
    newestActive: (db: Database, limit: number, visible: Visible) =>
      select(db, and(eq(table.group, active), isNull(table.removedAt), seen(visible)), newest.order, limit),
  }
}
