import { z } from 'zod'
import { withoutCredentials } from './credentials.ts'

// Postgres refuses NUL, and the others reorder or hide what stands beside them. Replaced, not dropped: dropping would join two halves of a link.
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const clean = (value: string) => value.toWellFormed().replace(unshowable, '\ufffd').trim()

const orNull = <T>(schema: z.ZodType<T>) => schema.nullable().catch(null)

/** Words and names, cut at `max` characters; null when missing, mistyped or blank. */
export const words = (max: number) =>
  orNull(z.string().transform((value) => clean(value.slice(0, max)).toWellFormed() || null))

/** An address, without the credentials in it. It loses its meaning when cut: null when it is longer than `max`. */
export const address = (max: number) =>
  orNull(
    z
      .string()
      .max(max)
      .transform((value) => withoutCredentials(clean(value)) || null),
  )

const iso8601 = /^([12]\d{3}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:([Zz])|([+-]\d\d):?(\d\d)?)?$/

/** ISO 8601 in UTC, or null. A time without a zone is taken as UTC; anything that is not ISO 8601 is not guessed at. */
export const toInstant = (value: string): string | null => {
  const match = iso8601.exec(value.trim())
  if (match === null) return null
  const [, day, time, , hours, minutes] = match
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`
  const ms = Date.parse(`${day ?? ''}T${time ?? ''}${zone}`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** A date-time of the wire as ISO 8601 UTC, or null. */
export const instant = orNull(z.string().max(64).transform(toInstant))

const decimal = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/

/** A number, or text that is nothing but one; null otherwise. */
export const toNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > 40 || !decimal.test(value.trim())) return null
  return toNumber(Number(value.trim()))
}

/** A count from 0 to `max`, from a number or numeric text; null otherwise. */
export const count = (max: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const number = toNumber(value)
      return number !== null && Number.isSafeInteger(number) && number >= 0 && number <= max ? Math.abs(number) : null
    })
