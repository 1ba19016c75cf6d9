import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

// PostgreSQL's parser knows addresses, hyphenated words, tags, signs and more; without punctuation it sees plain words only. The semicolon
// is written as `chr(59)`, because the tool that writes migrations ends an expression at a semicolon.
const punctuation = `'!"#$%&''()*+,-./:<=>?@[\\]^_\`{|}~' || chr(59), '${' '.repeat(32)}'`

/** The words of some columns, as both the index and searches use them. Names and addresses are split at their punctuation. */
export const splitSearchTerms = (columns: readonly (SQL | PgColumn)[]): SQL => {
  const texts = columns.map((column) => sql`coalesce(${column}, '')`)
  const text = sql.join(texts, sql` || ' ' || `)
  return sql`to_tsvector('simple'::regconfig, translate(${text}, ${sql.raw(punctuation)}))`
}

// A word that another one follows without a space, as in `exp_12` or `docs.example`, must match completely.
const word = /([\p{L}\p{N}\p{M}]+)([^\s\p{L}\p{N}\p{M}]+(?=[\p{L}\p{N}\p{M}]))?/gu

/**
 * Condition that each word of `text` is the beginning of a word of `words`, or a complete word when the text continues without a space.
 * Undefined for a text without letters and digits. Splits words as the index does, so only letters and digits enter the query.
 */
export const matchesSearchTerms = (words: SQL, text: string | undefined): SQL | undefined => {
  const terms = [...(text ?? '').matchAll(word)]
  if (terms.length === 0) return undefined
  const query = terms.map(([, one, goesOn]) => (goesOn === undefined ? `'${one}':*` : `'${one}'`)).join(' & ')
  return sql`${words} @@ to_tsquery('simple'::regconfig, ${query})`
}
