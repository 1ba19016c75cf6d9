import { copyText } from '#site/decode-text.ts'
import { searchTerms } from '#writer/assets/search-words.js'

const { ascii, runs, isUnspaced, foldWord, pairCharacters } = searchTerms
const asciiRuns = /[a-z0-9]+/gi
const capitalInside = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
const camelParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu
const cachedRuns = 200_000

/** Splits text into numbers of search terms, with those inside `camelCase`, which queries do not have. */
export const createTermReader = () => {
  const terms: string[] = []
  const numbers = new Map<string, number>()
  // Cached, because sites repeat their words.
  let known = new Map<string, readonly number[]>()
  const toNumber = (term: string) => {
    const number = numbers.get(term)
    if (number !== undefined) return number
    const own = copyText(term)
    numbers.set(own, terms.length)
    return terms.push(own) - 1
  }
  return {
    terms,
    read: (text: string, use: (term: number) => void): void => {
      for (const run of text.match(ascii.test(text) ? asciiRuns : runs) ?? []) {
        // Runs in scripts without spaces are sentences, which seldom repeat.
        const isCached = run.charCodeAt(0) < 0xe00 || !isUnspaced(run)
        let found = isCached ? known.get(run) : undefined
        if (found === undefined) {
          found = toTerms(run).map(toNumber)
          if (known.size >= cachedRuns) known = new Map()
          if (isCached) known.set(copyText(run), found)
        }
        for (const term of found) use(term)
      }
    },
  }
}

/** Terms of a run: pairs of characters in scripts without spaces, else the word and the words inside `camelCase`. */
const toTerms = (run: string): string[] => {
  const word = foldWord(run)
  if (isUnspaced(word)) return pairCharacters(word)
  const inner = capitalInside.test(run) ? (run.match(camelParts) ?? []).map(foldWord) : []
  return [...new Set([word, ...(inner.length > 1 ? inner : [])])].filter((term) => term !== '')
}
