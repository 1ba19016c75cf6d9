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

const readOwnProperty = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** Possible places of the message in an `error`: text (Admin API §2.2), or an object as common gateways send it. */
const listProse = (error: unknown): unknown[] => [
  error,
  readOwnProperty(error, 'message'),
  readOwnProperty(error, 'detail'),
]

/** Admin API §2.3 shows no type. The text is not cleaned yet. Null when there is none. */
export const findProse = (error: unknown): string | null =>
  listProse(error).find((text) => typeof text === 'string') ?? null

/** Reads the message of an error response: `{ error }` (Admin API §2.2), or the formats of common gateways. */
export const readSentence = (body: unknown, secrets: Iterable<string>, max?: number): string | null => {
  for (const candidate of [
    ...listProse(readOwnProperty(body, 'error')),
    readOwnProperty(body, 'message'),
    readOwnProperty(body, 'detail'),
  ]) {
    const sentence = cleanSentence(candidate, secrets, max)
    if (sentence !== null) return sentence
  }
  return null
}
