import { z } from 'zod'
import { AppError } from '#errors/app-error.ts'

/** The place of one row in the order of a list. */
export type Place = { at: Date; keys: string[]; lead: string | null }

const year10_000Ms = Date.UTC(10_000, 0)

// Times that both JavaScript and PostgreSQL write in four digits, and text that both can hold.
const HoldableText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'))
const PlaceJson = z.union([
  z.tuple([z.int().min(0).lt(year10_000Ms), z.array(HoldableText)]),
  z.tuple([z.int().min(0).lt(year10_000Ms), z.array(HoldableText), HoldableText.nullable()]),
])

/** Parses a cursor. Throws `invalid_request` with the field for one that no page of this shape handed out. */
export const placeIn = (
  cursor: string,
  field: 'cursor' | 'until',
  shape: { keys: number; isKey: (key: string) => boolean; hasLead: boolean },
): Place => {
  try {
    const [atMs, keys, lead] = PlaceJson.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (keys.length === shape.keys && keys.every(shape.isKey) && (lead !== undefined) === shape.hasLead)
      return { at: new Date(atMs), keys, lead: lead ?? null }
  } catch {
    // No page returned such a cursor, whatever is wrong with it.
  }
  throw new AppError('invalid_request', 'This page of the list does not exist. Start from the first page.', { field })
}
