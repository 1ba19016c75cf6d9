/** `1 page`, `2 pages`; `several` for words that take no s. */
export const count = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`

/** The first characters of a text, never half of one; the report is read by people. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** Longest text of a document that is shown. Characters. */
const maxText = 20_000

/** Text without white space around it; null when there is none. Numbers and booleans count as text. */
export const textOf = (value: unknown): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const text = String(value).slice(0, maxText).toWellFormed().trim()
  return text === '' ? null : text
}

/** The same on one line, without control characters, cut to `max` characters. */
export const lineOf = (value: unknown, max = 200): string | null => {
  const text = textOf(value)
    ?.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  if (!text) return null
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text
}
