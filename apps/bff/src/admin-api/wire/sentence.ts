import { redactProse } from '#log/redact.ts'

// Read no further than this before cutting, so that a megabyte of prose costs nothing.
const longestRead = 4_000
const longestShown = 500

// Control, bidirectional, zero-width and tag characters: text must not reorder, hide or forge what stands beside it.
const invisible =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Prose of the service made safe to show as plain text: one line, no control, bidirectional or invisible characters, no secrets, 500
 * characters at most. Null when nothing is left.
 */
export const cleanSentence = (value: unknown, secrets: Iterable<string>): string | null => {
  if (typeof value !== 'string') return null
  const line = value
    .slice(0, longestRead)
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
    .replace(invisible, '')
  const clean = redactProse(line, secrets).replace(/\s+/gu, ' ').trim()
  if (clean === '') return null
  return clean.length <= longestShown ? clean : `${clean.slice(0, longestShown - 1).toWellFormed()}…`
}

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The sentence of an error answer: `{ error }` (Admin API §2.2), or the shapes that gateways in front of a service send. */
export const sentenceOf = (body: unknown, secrets: Iterable<string>): string | null => {
  const error = own(body, 'error')
  for (const candidate of [error, own(error, 'message'), own(body, 'message'), own(body, 'detail')]) {
    const sentence = cleanSentence(candidate, secrets)
    if (sentence !== null) return sentence
  }
  return null
}
