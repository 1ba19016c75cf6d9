import { cut } from '@docket/sources/text'

/** Joins the first 20 items. */
const shortened = (items: readonly string[]): string =>
  items
    .slice(0, 20)
    .map((item) => cut(item, 200))
    .join('; ') + (items.length > 20 ? `; and ${items.length - 20} more` : '')

/** Formats up to 200 items, one line each, with a title. Empty without items. */
export const formatLines = (title: string, items: readonly string[]): string[] => {
  const lines = items.slice(0, 200).map((item) => `${title}: ${cut(item, 300)}`)
  return items.length > lines.length ? [...lines, `${title}: and ${items.length - lines.length} more`] : lines
}

/** Names the pages that a step could not read. Empty without pages. */
export const leftAlone = (pages: readonly string[]): string =>
  pages.length === 0 ? '' : ` Not looked at, because too large or not UTF-8: ${shortened(pages)}.`
