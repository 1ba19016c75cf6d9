import { digits, encodePostings } from './postings.ts'
import { isPair } from './words.ts'

/** Size of a file that a query loads several of. Bytes in UTF-8, about. */
const shardBytes = 24_000
/** From this number of pages on, a word that stands on one page in no title is not suggested. */
const manyPages = 1_000

/** Parts of a list in files of about one size, and the first term of each. */
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
    /** `piece` is told whether it begins a file. */
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

/** Term, its pages, and whether a title or heading has it. */
export type TermEntry = { term: string; postings: readonly number[]; isNamed: boolean }

/** Divides sorted terms with their postings: `term postings term postings`. */
export const termShards = (sorted: readonly TermEntry[]): Shards => {
  const shards = createShards()
  for (const { term, postings } of sorted) shards.add(term, () => `${term} ${encodePostings(postings)}`)
  return shards.done()
}

/**
 * Divides the sorted words to suggest. Each is the number of letters it shares with the word before, its other letters,
 * and a digit for how many pages have it.
 */
export const wordShards = (sorted: readonly TermEntry[], pages: number): Shards => {
  const shards = createShards()
  let before = ''
  for (const { term, postings, isNamed } of sorted) {
    const count = postings.length
    if (isPair(term) || (pages >= manyPages && count < 2 && !isNamed)) continue
    shards.add(term, (isFirst) => {
      const shared = isFirst ? 0 : sharedLetters(before, term)
      return digits[shared]! + term.slice(shared) + digits[Math.floor(Math.log2(count))]!
    })
    before = term
  }
  return shards.done()
}

const sharedLetters = (a: string, b: string) => {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared
}
