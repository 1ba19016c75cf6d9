import { redactProse } from '#ground/log/redact.ts'

// Maximum input length. Longer text is cut before any other work.
const maxReadLength = 4_000
const maxLength = 500

// Control, bidirectional, zero-width and tag characters could reorder, hide or forge the text beside them.
const invisible =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Returns one line of at most `max` (500) visible characters, without secrets. Null when nothing is left. */
export const cleanSentence = (value: unknown, secrets: Iterable<string>, max = maxLength): string | null => {
  if (typeof value !== 'string') return null
  const line = value
    .slice(0, maxReadLength)
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
    .replace(invisible, '')
  const clean = redactProse(line, secrets).replace(/\s+/gu, ' ').trim()
  if (clean === '') return null
  return clean.length <= max ? clean : `${clean.slice(0, max - 1).toWellFormed()}…`
}

/** Undefined unless `value` has one of these properties itself. */
export const readOwnProperty = (value: unknown, ...names: string[]): unknown =>
  typeof value === 'object' && value !== null
    ? names.filter((name) => Object.hasOwn(value, name)).map((name) => (value as Record<string, unknown>)[name])[0]
    : undefined

const places = ['error', 'message', 'detail', 'error_description', 'reason', 'errors', 'msg']

/** Texts at the usual places of a message: text (Admin API §2.2), a list, or an object as common gateways send it. */
const listTexts = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((part: unknown) => listTexts(part, depth + 1))
  const texts = places.flatMap((place) => listTexts(readOwnProperty(value, place), depth + 1))
  // RFC 9457 repeats the title for every problem of its type.
  return texts.length > 0 ? texts : listTexts(readOwnProperty(value, 'title'), 4)
}

/** A code comes before the sentence that it belongs to. */
const joinTexts = (texts: readonly string[]) =>
  texts.reduce((all, text) => `${all.replace(/[.;:]$/, '')}${/\s/.test(all) ? ';' : ':'} ${text}`)

/** The message in `value`, which may have any JSON type (§2.3 shows none). The text is not cleaned yet. Null when there is none. */
export const findProse = (value: unknown): string | null => {
  const texts = [...new Set(listTexts(value))].slice(0, 10)
  return texts.length === 0 ? null : joinTexts(texts)
}

/** Reads the message of an error response, at most `max` (500) characters long. */
export const readSentence = (body: unknown, secrets: Iterable<string>, max?: number): string | null =>
  cleanSentence(findProse(body), secrets, max)
