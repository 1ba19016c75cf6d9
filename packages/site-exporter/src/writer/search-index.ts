import MiniSearch from 'minisearch'

/** Searchable text of a page. */
type SearchEntry = { file: string; title: string; group: string; headings: string; text: string }

/** Indexed characters per page. */
const searchedCharacters = 8_000
/** Words, and single characters of scripts without blanks. */
const words = /[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff\p{Z}\p{P}\n\r]+/gu
/** `assets/search.js` uses the same options. */
const options = {
  idField: 'file',
  fields: ['title', 'headings', 'text'],
  storeFields: ['title', 'group', 'excerpt'],
  tokenize: (text: string): string[] => text.match(words) ?? [],
}

/** Serializes term by term. `toJSON` takes half a gigabyte for a thousand pages. */
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

/** Creates an index that does not retain page texts. */
export const searchIndex = () => {
  const index = new LeanMiniSearch(options)
  return {
    add: (entry: SearchEntry) => {
      const text = entry.text.replace(/\s+/g, ' ').trim().slice(0, searchedCharacters)
      index.add({ ...entry, text, excerpt: copied(text.slice(0, 140)) })
    },
    /** Script that sets `docketSearch`; pages opened from a disk cannot load JSON. */
    script: () => `docketSearch=${JSON.stringify(index.toText())}\n`,
  }
}

/** A slice would retain the whole text. */
const copied = (text: string) => Buffer.from(text).toString()
