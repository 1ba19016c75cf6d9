import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

// PostgreSQL's parser knows addresses, hyphenated words, tags, signs and more; without punctuation it sees plain words only.
// The semicolon is written as chr(59), for the tool that writes migrations ends an expression there.
const punctuation = `'!"#$%&''()*+,-./:<=>?@[\\]^_\`{|}~' || chr(59), '${' '.repeat(32)}'`

/** The words of some columns, as an index and a search see them. Names and addresses are split at their punctuation. */
export const splitSearchTerms = (columns: readonly (SQL | PgColumn)[]): SQL => {
  const texts = columns.map((column) => sql`coalesce(${column}, '')`)
  const text = sql.join(texts, sql` || ' ' || `)
  return sql`to_tsvector('simple'::regconfig, translate(${text}, ${sql.raw(punctuation)}))`
}

const word = /[\p{L}\p{N}\p{M}]+/gu

/**
 * Condition that each word of `text` begins a word of `words`. Undefined for a text without letters and digits. Splits words as the
 * index does, so only letters and digits enter the query.
 */
export const beginsTerms = (words: SQL, text: string | undefined): SQL | undefined => {
  const terms = text?.match(word)
  if (terms === null || terms === undefined) return undefined
  const query = terms.map((one) => `'${one}':*`).join(' & ')
  return sql`${words} @@ to_tsquery('simple'::regconfig, ${query})`
}
