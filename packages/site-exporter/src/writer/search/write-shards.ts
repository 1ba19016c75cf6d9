import { searchTerms } from '#writer/assets/search-words.js'

/** Approximate size of a file; a query loads several of them. Bytes in UTF-8. */
const shardBytes = 24_000
/** Number of pages of a site from which a word on only one page and in no title is not suggested. */
const manyPages = 1_000

/** A list divided into files of about the same size, and the first term of each. */
export type Shards = { firsts: string[]; texts: string[] }

const createShards = () => {
  const shards: Shards = { firsts: [], texts: [] }
  let open: string[] = []
  let size = 0
  const close = () => {
    if (open.length > 0) shards.texts.push(open.join(' '))
    open = []
    size = 0
  }
  return {
    /** `isFirst` is true for the first piece of a file. */
    add: (term: string, piece: (isFirst: boolean) => string) => {
      if (size >= shardBytes) close()
      if (open.length === 0) shards.firsts.push(term)
      const text = piece(open.length === 0)
      open.push(text)
      size += Buffer.byteLength(text) + 1
    },
    done: (): Shards => {
      close()
      return shards
    },
  }
}

export type TermEntry = { term: string; postings: readonly number[]; isNamed: boolean }

/** Divides sorted terms with their postings: `term postings term postings`. */
export const buildTermShards = (sorted: readonly TermEntry[]): Shards => {
  const shards = createShards()
  for (const { term, postings } of sorted) shards.add(term, () => `${term} ${encodePostings(postings)}`)
  return shards.done()
}

/** Splits the sorted words to suggest: number of letters shared with the word before, the other letters, and a digit for how many pages have it. */
export const buildWordShards = (sorted: readonly TermEntry[], pages: number): Shards => {
  const shards = createShards()
  let before = ''
  for (const { term, postings, isNamed } of sorted) {
    const count = postings.length
    // A pair of characters is no word.
    if (searchTerms.isUnspaced(term) || (pages >= manyPages && count < 2 && !isNamed)) continue
    shards.add(term, (isFirst) => {
      const shared = isFirst ? 0 : countSharedLetters(before, term)
      return digits[shared]! + term.slice(shared) + digits[Math.floor(Math.log2(count))]!
    })
    before = term
  }
  return shards.done()
}

const countSharedLetters = (a: string, b: string) => {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared
}

/** Digits with six bits each that need no escaping in scripts. */
export const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Weight of a word on a page, in six bits. */
const maxImpact = 63
/** Maximum pages per word; the pages with the highest weights are kept. */
const maxPages = 2_000

/** Digit for the weight of a word on a page. */
export const toImpact = (weight: number): string => digits[Math.max(1, Math.min(maxImpact, Math.round(weight)))]!

/** A page and the weight of a word on it, encoded in one number. */
export const toPosting = (page: number, impact: string): number => page * (maxImpact + 1) + digits.indexOf(impact)

/** Postings as text: the number of pages when some are left out, then a digit for each impact and the step to its page. */
const encodePostings = (postings: readonly number[]): string => {
  let text = ''
  let kept = postings
  if (postings.length > maxPages) {
    text = `${postings.length}.`
    kept = [...postings]
      .sort((a, b) => (b & maxImpact) - (a & maxImpact) || a - b)
      .slice(0, maxPages)
      .sort((a, b) => a - b)
  }
  let last = -1
  for (const posting of kept) {
    const page = posting >>> 6
    text += digits[posting & maxImpact]! + encodeNumber(page - last - 1)
    last = page
  }
  return text
}

/** Encodes five bits per digit, the lowest first; the sixth bit is set if more digits follow. */
const encodeNumber = (number: number): string =>
  number < 32 ? digits[number]! : digits[(number & 31) | 32]! + encodeNumber(number >>> 5)
