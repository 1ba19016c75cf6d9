import { replaceEqualDeep, type QueryFunctionContext } from '@tanstack/react-query'
import { nowMs } from '#lib/time/clock.ts'
import type { Page } from './pages.ts'

/** Rules for one kind of rows: each row combines an item of the list with its check times. */
export type RowKind<Item, Check, Row> = {
  getId: (record: Item | Check) => string
  isLive: (row: Row) => boolean
  withCheck: (item: Item, check: Check | undefined) => Row
}

/** Check times of a row without any known ones. */
export const unknownCheck = { checkedAt: null, nextCheckAt: null, failedAt: null }

type CheckedPage<Check, Row, Counts> = Page<Row, Counts> & { checks: readonly Check[] }

export type PageContext = Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>

const mapById = <T>(records: readonly T[], getId: (record: T) => string) =>
  new Map(records.map((record) => [getId(record), record]))

/**
 * Reads a page, usually answered with 304. Also reads the check times of its rows when the page is new, a row is live
 * or due, or a person changed something. Equal rows keep their identity, even when they move.
 */
export const readPage = async <Item, Check, Row extends { nextCheckAt: string | null }, Counts>(
  { getId, isLive, withCheck }: RowKind<Item, Check, Row>,
  reads: { page: () => Promise<Page<Item, Counts>>; checks: () => Promise<readonly Check[]> },
  { client, queryKey }: PageContext,
): Promise<CheckedPage<Check, Row, Counts>> => {
  const before = client.getQueryData<CheckedPage<Check, Row, Counts>>(queryKey)
  const isDue = ({ nextCheckAt }: Row) => nextCheckAt !== null && Date.parse(nextCheckAt) <= nowMs()
  const mayDiffer =
    client.getQueryState(queryKey)?.isInvalidated || before?.items.some((row) => isLive(row) || isDue(row))
  const [page, early] = await Promise.all([
    reads.page(),
    before === undefined || mayDiffer ? reads.checks() : before.checks,
  ])
  const isComplete = page.items.every((item) => early.some((check) => getId(check) === getId(item)))
  const checks = isComplete ? early : await reads.checks()
  const byId = mapById(checks, getId)
  const rows = new Map(before?.items.map((row) => [getId(row as unknown as Item), row]))
  const items = page.items.map((item) =>
    replaceEqualDeep(rows.get(getId(item)), withCheck(item, byId.get(getId(item)))),
  )
  const isSame = items.length === before?.items.length && items.every((row, index) => row === before.items[index])
  const counts = replaceEqualDeep(before?.counts, page.counts)
  return { items: isSame ? before.items : items, nextCursor: page.nextCursor, counts, checks }
}
