import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { refusedFieldError } from '#ground/errors/app-error.ts'

type Place = { at: Date; keys: string[]; lead: string | null }

const year10_000Ms = Date.UTC(10_000, 0)

// Allows times with a four-digit year, and text that both JavaScript and PostgreSQL can hold.
export const HoldableText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'))
const PlaceJson = z.union([
  z.tuple([z.int().min(0).lt(year10_000Ms), z.array(HoldableText)]),
  z.tuple([z.int().min(0).lt(year10_000Ms), z.array(HoldableText), HoldableText.nullable()]),
])

/** Parses a cursor. Throws `invalid_request` with its field when no page of this shape could have returned it. */
const parseCursor = (
  cursor: string,
  field: 'cursor' | 'until',
  shape: { keys: number; isKey: (key: string) => boolean; hasLead: boolean },
): Place => {
  try {
    const [atMs, keys, lead] = PlaceJson.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (keys.length === shape.keys && keys.every(shape.isKey) && (lead !== undefined) === shape.hasLead)
      return { at: new Date(atMs), keys, lead: lead ?? null }
  } catch {
    // Any error means that no page returned this cursor.
  }
  throw refusedFieldError(field, 'This page of the list does not exist. Start from the first page.')
}

/** A page size, and the cursors after which the page begins and with which it ends. */
export type PageQuery = { cursor?: string | undefined; until?: string | undefined; limit: number }

/** The order of a list: by `lead`, where there is one, then by `at`, then by `keys`, which together with `at` are unique. */
export type Order<Row> = {
  /** Sorted first, ascending; rows without a value come last. */
  lead?: { column: PgColumn; read: (row: Row) => string | null }
  at: PgColumn
  keys: readonly PgColumn[]
  /** True: `at` ascending and `keys` descending. Default: the reverse. */
  oldestFirst?: boolean
  /** `at` and `keys` of a row: milliseconds since the epoch, and text. */
  toPlace: (row: Row) => [atMs: number, keys: string[]]
  /** True when the database can compare this text with the keys. */
  isKey?: (key: string) => boolean
}

const buildTuple = (parts: readonly unknown[]): SQL =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`

/**
 * Pages of a list. An index on the filter columns followed by the columns of the order serves every page, even deep ones. Throws
 * `invalid_request` for a cursor that no page of this order could have returned.
 */
export const createPages = <Row>(order: Order<Row>) => {
  const { at, keys, lead, oldestFirst = false, isKey = () => true } = order
  const shape = { keys: keys.length, isKey, hasLead: lead !== undefined }

  /**
   * Condition for the rows after a place, or up to and including it, among rows with the same lead. Its first half
   * limits how much of the index is read.
   */
  const side = (place: Place, which: 'after' | 'upTo'): SQL | undefined => {
    const earlier = (which === 'after') !== oldestFirst
    const [bound, strict] = earlier ? [lte, lt] : [gte, gt]
    const compare = sql.raw(`${earlier ? '>' : '<'}${which === 'after' ? '' : '='}`)
    const sameInstant = and(eq(at, place.at), sql`${buildTuple(keys)} ${compare} ${buildTuple(place.keys)}`)
    return and(bound(at, place.at), or(strict(at, place.at), sameInstant))
  }

  // The index serves a range within one lead, or a range of whole leads. A page may need up to three such ranges.
  const rangesOfLeads = (column: PgColumn, from: Place | undefined, to: Place | undefined): (SQL | undefined)[] => {
    const is = (value: string | null) => (value === null ? isNull(column) : eq(column, value))
    if (from === undefined && to === undefined) return [undefined]
    if (from !== undefined && to !== undefined) {
      if (from.lead === to.lead) return [and(is(from.lead), side(from, 'after'), side(to, 'upTo'))]
      if (from.lead === null) return []
    }
    // Makes a range empty when it ends before it begins. Only the database knows the sort order of text.
    const forward =
      from === undefined || to === undefined || to.lead === null
        ? undefined
        : sql`${from.lead}::text < ${to.lead}::text`
    const ranges: (SQL | undefined)[] = []
    if (from !== undefined) ranges.push(and(is(from.lead), side(from, 'after'), forward))
    if (from === undefined || from.lead !== null) {
      const begin = from === undefined ? isNotNull(column) : gt(column, from.lead)
      ranges.push(and(begin, to === undefined || to.lead === null ? undefined : lt(column, to.lead), forward))
      if (to === undefined) ranges.push(isNull(column))
    }
    if (to !== undefined) ranges.push(and(is(to.lead), side(to, 'upTo'), forward))
    return ranges
  }

  const toCursor = (row: Row): string => {
    const place = [...order.toPlace(row), ...(lead === undefined ? [] : [lead.read(row)])]
    return Buffer.from(JSON.stringify(place)).toString('base64url')
  }

  return {
    order: [
      ...(lead === undefined ? [] : [asc(lead.column)]),
      oldestFirst ? asc(at) : desc(at),
      ...keys.map((key) => (oldestFirst ? desc(key) : asc(key))),
    ],
    /**
     * Reads a page: `read` returns the rows of a range in this order. `nextCursor` is where the list continues or, with
     * `until`, where the rest of the range begins; null at the end.
     */
    read: async (
      query: PageQuery,
      read: (range: SQL | undefined, limit: number) => PromiseLike<Row[]>,
    ): Promise<{ items: Row[]; nextCursor: string | null }> => {
      const from = query.cursor === undefined ? undefined : parseCursor(query.cursor, 'cursor', shape)
      const to = query.until === undefined ? undefined : parseCursor(query.until, 'until', shape)
      const ranges =
        lead === undefined
          ? [and(from && side(from, 'after'), to && side(to, 'upTo'))]
          : rangesOfLeads(lead.column, from, to)
      const rows: Row[] = []
      for (const range of ranges)
        if (rows.length <= query.limit) rows.push(...(await read(range, query.limit + 1 - rows.length)))
      const items = rows.slice(0, query.limit)
      const last = items.at(-1)
      return { items, nextCursor: rows.length > query.limit && last !== undefined ? toCursor(last) : null }
    },
  }
}
