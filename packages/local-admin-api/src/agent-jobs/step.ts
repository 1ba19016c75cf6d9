/** `1 page`, `2 pages`; `several` for words that take no s. */
export const count = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`

/** The first characters of a text, never half of one; the report is read by people. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** A list that stays readable however long it is. */
export const shortened = (items: readonly string[]): string =>
  items
    .slice(0, 20)
    .map((item) => cut(item, 200))
    .join('; ') + (items.length > 20 ? `; and ${items.length - 20} more` : '')

/** A line for each item, the first of them with what they have in common; the first 200. Empty when there are none. */
export const listed = (title: string, items: readonly string[]): string[] => {
  const shown = items.slice(0, 200).map((item) => `${title}: ${cut(item, 300)}`)
  return items.length > shown.length ? [...shown, `${title}: and ${items.length - shown.length} more`] : shown
}

/** Names the pages that a step could not read. Empty when there are none. */
export const leftAlone = (pages: readonly string[]): string =>
  pages.length === 0 ? '' : ` Not looked at, because too large or not UTF-8: ${shortened(pages)}.`
