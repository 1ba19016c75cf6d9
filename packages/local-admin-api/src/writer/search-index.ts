import MiniSearch from 'minisearch'

/** Words of one page for the search. */
export type SearchEntry = { file: string; title: string; group: string; headings: string; text: string }

/** Characters of a page that are searched; the rest of a very long page adds size and no results. */
const searchedCharacters = 8_000
/** Must be the same where the index is read, in `_docket/site.js`. */
const options = { idField: 'file', fields: ['title', 'headings', 'text'], storeFields: ['title', 'group', 'excerpt'] }

/** A script that puts the index into `docketSearch`. A script and no JSON, because pages opened from a disk may load only that. */
export const searchScript = (entries: readonly SearchEntry[]): string => {
  const index = new MiniSearch<SearchEntry & { excerpt: string }>(options)
  for (const entry of entries) {
    const text = entry.text.replace(/\s+/g, ' ').trim()
    index.add({ ...entry, text: text.slice(0, searchedCharacters), excerpt: text.slice(0, 140) })
  }
  return `docketSearch=${JSON.stringify(JSON.stringify(index))}\n`
}
