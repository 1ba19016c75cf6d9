import MiniSearch from 'minisearch'

/** Words of one page for the search. */
export type SearchEntry = { file: string; title: string; group: string; headings: string; text: string }

/** Characters of a page that are searched; the rest of a very long page adds size and no results. */
const searchedCharacters = 8_000
/** Runs of letters and digits, and each sign of scripts that write no blanks between words. */
const words = /[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff\p{Z}\p{P}\n\r]+/gu
/** Must be the same where the index is read, in `assets/search.js`. */
const options = {
  idField: 'file',
  fields: ['title', 'headings', 'text'],
  storeFields: ['title', 'group', 'excerpt'],
  tokenize: (text: string): string[] => text.match(words) ?? [],
}

/** The search of a site while it is being written. */
export type SearchIndex = {
  add(entry: SearchEntry): void
  /** A script that puts the index into `docketSearch`. A script and no JSON, because pages opened from a disk may load only that. */
  script(): string
}

/**
 * Writes its JSON term by term. `toJSON` makes all objects at once, with page numbers as array-like keys: half a gigabyte for
 * a thousand pages.
 */
class LeanMiniSearch extends MiniSearch<SearchEntry & { excerpt: string }> {
  toText(): string {
    const terms = this._index
    this._index = new LeanMiniSearch(options)._index
    const head = JSON.stringify(this.toJSON())
    this._index = terms
    const lines: string[] = []
    for (const [term, fields] of terms) {
      const counts = [...fields].map(
        ([field, pages]) => `"${field}":{${[...pages].map(([page, count]) => `"${page}":${count}`).join()}}`,
      )
      lines.push(`[${JSON.stringify(term)},{${counts.join()}}]`)
    }
    return head.replace('"index":[]', () => `"index":[${lines.join()}]`)
  }
}

/** An index that takes pages one by one, so that their words need not be kept. */
export const searchIndex = (): SearchIndex => {
  const index = new LeanMiniSearch(options)
  return {
    add: (entry) => {
      const text = entry.text.replace(/\s+/g, ' ').trim().slice(0, searchedCharacters)
      index.add({ ...entry, text, excerpt: copied(text.slice(0, 140)) })
    },
    script: () => `docketSearch=${JSON.stringify(index.toText())}\n`,
  }
}

/** A short piece of a long text would keep all of it in memory. */
const copied = (text: string) => Buffer.from(text).toString()
