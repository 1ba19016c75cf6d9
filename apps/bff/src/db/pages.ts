import { and, asc, desc, eq, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { AppError } from '#http/app-error.ts'

/** A page size and the cursor that the page before handed out. */
export type PageQuery = { cursor?: string | undefined; limit: number }

const year10_000Ms = Date.UTC(10_000, 0)

// Times that both JavaScript and PostgreSQL write in four digits, and text that both can hold.
const Place = z.tuple([
  z.int().min(0).lt(year10_000Ms),
  z.array(z.string().refine((text) => text.isWellFormed() && !text.includes('\0'))),
])

const placeOf = (cursor: string, keys: readonly PgColumn[], isKey: (key: string) => boolean) => {
  try {
    const [atMs, values] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (values.length === keys.length && values.every(isKey)) return { at: new Date(atMs), values }
  } catch {
    // Whatever is wrong with it, no page handed it out.
  }
  throw new AppError('invalid_request', 'This page of the list does not exist. Start from the first page.', {
    field: 'cursor',
  })
}

/**
 * Pages of a list, the latest `at` first and then by `keys`, which together are unique. An index on the same columns in the same
 * order serves every page. Throws `invalid_request` for a cursor that no page handed out.
 */
export const pages = <Row>(list: {
  at: PgColumn
  keys: readonly PgColumn[]
  /** The same columns of a row: milliseconds since the epoch, and text. */
  placeOf: (row: Row) => [atMs: number, keys: string[]]
  /** Whether the database can compare a text with the keys. */
  isKey?: (key: string) => boolean
}) => {
  const { at, keys, isKey = () => true } = list
  return {
    order: [desc(at), ...keys.map((key) => asc(key))],
    /** The rows after the cursor; undefined for the first page. */
    after: ({ cursor }: PageQuery): SQL | undefined => {
      if (cursor === undefined) return undefined
      const place = placeOf(cursor, keys, isKey)
      const [columns, values] = [keys, place.values].map((parts) =>
        sql.join(
          parts.map((part) => sql`${part}`),
          sql`, `,
        ),
      )
      // The first half alone bounds what is read of the index.
      return and(lte(at, place.at), or(lt(at, place.at), and(eq(at, place.at), sql`(${columns}) > (${values})`)))
    },
    /** Cuts the page out of `limit + 1` rows. */
    cut: (rows: readonly Row[], { limit }: PageQuery): { items: Row[]; nextCursor: string | null } => {
      const items = rows.slice(0, limit)
      const last = items.at(-1)
      const more = rows.length > limit && last !== undefined
      const cursor = more ? Buffer.from(JSON.stringify(list.placeOf(last))).toString('base64url') : null
      return { items, nextCursor: cursor }
    },
  }
}
