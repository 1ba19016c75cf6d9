/** `1 page`, `2 pages`; `several` is for irregular plurals. */
export const count = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`

/** Shortens a text to `length` characters, with an ellipsis; never splits a surrogate pair. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** Maximum characters of a document's text that are shown. */
const maxText = 20_000

/** Trimmed text of a value. Null when it is empty, or not a text, number or boolean. */
export const toText = (value: unknown): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const text = String(value).slice(0, maxText).toWellFormed().trim()
  return text === '' ? null : text
}

/** Text of a value as one line, without control characters, cut to `max` characters. */
export const toLine = (value: unknown, max = 200): string | null => {
  const text = toText(value)
    ?.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  if (!text) return null
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text
}
