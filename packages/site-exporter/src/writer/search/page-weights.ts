import type { SearchSection } from './page-text.ts'
import { createTermReader } from './words.ts'
import { toImpact } from './write-shards.ts'

/** Words of a page, those of its title and headings first: the words with spaces between them, and a digit for the weight of each. */
export type PageTerms = { terms: string; impacts: string; named: number }

/** Maximum indexed text of a page. Characters. */
const maxText = 100_000
/** Weight of a word in each part of a page, and the usual number of words in that part. */
const fields = { title: { weight: 16, usual: 4 }, heading: { weight: 8, usual: 30 }, text: { weight: 6, usual: 400 } }

/** Weighs words by where and how often they are on a page, as BM25 does. */
export const createPageWeights = () => {
  const { terms, read } = createTermReader()
  // Indexed by term number. `counts` is zero between fields, `weights` between pages.
  let [counts, weights] = [new Float64Array(4_096), new Float64Array(4_096)]
  const enlarge = (numbers: Float64Array<ArrayBuffer>) => {
    const larger = new Float64Array(terms.length * 2)
    larger.set(numbers)
    return larger
  }

  const addField = (
    texts: readonly string[],
    { weight, usual }: { weight: number; usual: number },
    onPage: number[],
  ) => {
    const found: number[] = []
    let [words, left] = [0, maxText]
    const count = (term: number) => {
      words += 1
      if (term >= counts.length) [counts, weights] = [enlarge(counts), enlarge(weights)]
      if (counts[term]!++ === 0) found.push(term)
    }
    for (const text of texts) {
      if (left <= 0) break
      read(text.length > left ? text.slice(0, left) : text, count)
      left -= text.length
    }
    const norm = 1.2 * (0.4 + (0.6 * words) / usual)
    for (const term of found) {
      if (weights[term] === 0) onPage.push(term)
      weights[term]! += (weight * counts[term]!) / (counts[term]! + norm)
      counts[term] = 0
    }
  }

  return (title: string, sections: readonly SearchSection[]): PageTerms => {
    const onPage: number[] = []
    addField([title], fields.title, onPage)
    addField(
      sections.map(({ heading }) => heading),
      fields.heading,
      onPage,
    )
    const named = onPage.length
    addField(
      sections.map(({ text }) => text),
      fields.text,
      onPage,
    )
    const impacts = onPage.map((term) => toImpact(weights[term]!)).join('')
    for (const term of onPage) weights[term] = 0
    return { terms: onPage.map((term) => terms[term]!).join(' '), impacts, named }
  }
}
