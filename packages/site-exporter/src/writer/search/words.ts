import { copyText } from '#site/decode-text.ts'

/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer. */
const unspaced =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}\\p{Z}\\p{P}\\p{S}\\p{C}]+`, 'gu')
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u')
const ascii = /^[\0-\x7f]*$/
const asciiRuns = /[a-z0-9]+/gi
const capitalInside = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
const camelParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu
/** Accents, and the vowels of Hebrew and Arabic, which most people don’t write. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]+/g
/** Longer words are cut. Characters. */
const maxWord = 40
const cachedRuns = 200_000

/** Splits text into numbers of search terms. `assets/search-words.js` does the same, and a test compares the two. */
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
        const isCached = run.charCodeAt(0) < 0xe00 || !startsUnspaced.test(run)
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
  if (startsUnspaced.test(word)) return pairCharacters(word)
  const inner = capitalInside.test(run) ? (run.match(camelParts) ?? []).map(foldWord) : []
  return [...new Set([word, ...(inner.length > 1 ? inner : [])])].filter((term) => term !== '')
}

/** Converts text to lower case without accents and width variants. */
const foldWord = (word: string) => {
  if (ascii.test(word)) return word.toLowerCase().slice(0, maxWord)
  const bare = word.normalize('NFKD').replace(marks, '').normalize('NFKC').toLowerCase()
  return bare
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
    .replace(marks, '')
    .slice(0, maxWord)
    .replace(/[\ud800-\udbff]$/, '')
}

const pairCharacters = (run: string): string[] => {
  const characters = Array.from(run)
  return characters.length < 2 ? characters : characters.slice(1).map((second, index) => characters[index]! + second)
}

/** True for a pair of characters, which is not suggested as a word. */
export const isPair = (term: string): boolean => startsUnspaced.test(term)
