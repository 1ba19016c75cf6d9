import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

const names = new Set(
  'token|accesstoken|idtoken|refreshtoken|authtoken|privatetoken|jobtoken|apitoken|apikey|key|secret|clientsecret|password|passwd|pwd'
    .concat('|sig|signature|auth|authorization|credential|credentials|jwt|bearer|session|sessionid|sid|code')
    .concat('|awsaccesskeyid|keypairid|policy')
    .split('|'),
)

const decodeName = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** True for the name of a parameter whose value is a credential: a token, a password, a signature. */
export const isCredentialName = (name: string): boolean => {
  const plain = decodeName(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  return names.has(plain) || /^x(?:amz|goog)/.test(plain)
}

// `git` alone is the usual user of ssh addresses.
const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)(?!git@)[^/?#]*@/i
const parameter = /([?&#;])([^?&#;=]*)=[^&#;]*/g

/** Removes userinfo and credential parameters from an address. Services may report the remote of a checkout with its token. */
const withoutCredentials = (address: string): string =>
  address
    .replace(userinfo, '$1[removed]@')
    .replace(parameter, (all, before: string, name: string) =>
      isCredentialName(name) ? `${before}${name}=[removed]` : all,
    )

// Postgres rejects NUL, and the other characters reorder or hide text. They are replaced, not dropped: dropping would join two halves of a link.
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const cleanText = (value: string) => value.trim().toWellFormed().replace(unshowable, '\ufffd').trim()

const unshowableInLines = new RegExp(`(?![\\n\\t])${unshowable.source}`, 'gu')

/** Cleans text of several lines: removes terminal codes, and replaces every other character that hides or reorders text. */
export const cleanProse = (value: string): string =>
  stripVTControlCharacters(value.toWellFormed()).replace(/\r\n?/g, '\n').replace(unshowableInLines, '\ufffd')

const orNull = <T>(schema: z.ZodType<T>) => schema.nullable().catch(null)

/** Reads a short text such as a name, cut at `max` characters. Null when missing, mistyped or blank. */
export const words = (max: number) =>
  orNull(z.string().transform((value) => cleanText(value.slice(0, max)).toWellFormed() || null))

/** Reads text of several lines, cut at `max` characters. Null when missing, mistyped or blank. */
export const prose = (max: number) =>
  orNull(z.string().transform((value) => cleanProse(value.slice(0, max)).trim() || null))

/** Reads one of these words, in any case. Null for every other value. */
export const knownWord = <const Word extends string>(...known: Word[]) =>
  orNull(z.string().transform((value) => known.find((word) => word === value.trim().toLowerCase()) ?? null))

/** Reads an address without its credentials. Null when longer than `max`, because a cut address is wrong. */
export const address = (max: number) =>
  orNull(
    z
      .string()
      .max(max)
      .transform((value) => withoutCredentials(cleanText(value)) || null),
  )

const iso8601 = /^([12]\d{3}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:([Zz])|([+-]\d\d):?(\d\d)?)?$/

/** Parses ISO 8601 into UTC, or null. A time without a zone is UTC. */
export const toInstant = (value: string): string | null => {
  const match = iso8601.exec(value.trim())
  if (match === null) return null
  const [, day, time, , hours, minutes] = match
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`
  const ms = Date.parse(`${day ?? ''}T${time ?? ''}${zone}`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

export const instant = orNull(z.string().max(64).transform(toInstant))

const decimal = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/

/** Reads a text that is only a number. Null otherwise. */
export const toNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > 40 || !decimal.test(value.trim())) return null
  return toNumber(Number(value.trim()))
}

/** Reads a count from 0 to `max`, from a number or numeric text. Null otherwise. */
export const count = (max: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const number = toNumber(value)
      return number !== null && Number.isSafeInteger(number) && number >= 0 && number <= max ? Math.abs(number) : null
    })

const compactDate = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

const parseSignatureExpiry = (date: string | undefined, seconds: string | undefined): number | null => {
  const parts = compactDate.exec(date ?? '')
  if (parts === null || !/^\d{1,9}$/.test(seconds ?? '')) return null
  const [, year, month, day, hour, minute, second] = parts
  const fromMs = Date.parse(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`)
  return Number.isNaN(fromMs) ? null : fromMs + Number(seconds) * 1000
}

/** Reads S3 and Google signatures version 4, `Expires` and Azure `se`. Milliseconds since the epoch, or null. */
export const parseLinkExpiryMs = (link: URL): number | null => {
  const parameters = new Map([...link.searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const get = (name: string) => parameters.get(name)
  const expires = get('expires') ?? ''
  const azure = toInstant(get('se') ?? '')
  const candidates = [
    parseSignatureExpiry(get('x-amz-date'), get('x-amz-expires')),
    parseSignatureExpiry(get('x-goog-date'), get('x-goog-expires')),
    /^\d{9,11}$/.test(expires) ? Number(expires) * 1000 : null,
    azure === null ? null : Date.parse(azure),
  ].filter((ms) => ms !== null)
  return candidates.length === 0 ? null : Math.min(...candidates)
}

/** Percent, or a fraction of 1. A number up to 1 may be either; `scale` is set when the format proves one. Null when unusable. */
type Progress = { value: number; scale: 'percent' | 'fraction' | 'ambiguous' } | null

// Slightly more than 100 is a rounding error; more is not a percentage, and a full bar on a running job would be wrong.
const toPercentProgress = (value: number): Progress =>
  value >= 0 && value < 101 ? { value: Math.min(Math.abs(value), 100), scale: 'percent' } : null

const withoutSign = (value: unknown) =>
  typeof value === 'string' && value.trim().endsWith('%') ? value.trim().slice(0, -1) : value

const firstNumber = (value: object, names: readonly string[]): number | null => {
  for (const name of names) {
    const number = Object.hasOwn(value, name) ? toNumber(withoutSign((value as Record<string, unknown>)[name])) : null
    if (number !== null) return number
  }
  return null
}

const parseProgressObject = (value: object): Progress => {
  const stated = firstNumber(value, ['percent', 'percentage'])
  if (stated !== null) return toPercentProgress(stated)
  const done = firstNumber(value, ['done', 'completed', 'current', 'processed', 'value'])
  const total = firstNumber(value, ['total', 'max'])
  return done === null || total === null || total <= 0 ? null : toPercentProgress((100 * done) / total)
}

/**
 * Parses `progress` (Admin API §2.3 shows no type): a number, numeric text with or without `%`, `3/10` or `3 of 10`, or an object with a
 * percentage or with done and total. Null for anything else, so that the bar is indeterminate.
 */
export const toProgress = (value: unknown): Progress => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return parseProgressObject(value)
  const [, done, total] = (typeof value === 'string' && /^([\d.\s]{1,20})(?:\/|of)([\d.\s]{1,20})$/.exec(value)) || []
  if (done !== undefined) return parseProgressObject({ done, total })
  const unsigned = withoutSign(value)
  const number = toNumber(unsigned)
  if (number === null) return null
  return unsigned === value && number >= 0 && number <= 1
    ? { value: Math.abs(number), scale: 'ambiguous' }
    : toPercentProgress(number)
}
