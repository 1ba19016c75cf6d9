import type { SearchedPage } from '#packages/site-exporter/src/writer/search/search-index.ts'

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo za str pl nt ing er'.split(' ')
const vocabulary = 60_000

/** Word of a rank: common words are short. The same in every run. */
export const toWord = (rank: number): string => {
  let word = ''
  for (let left = rank + 1; left > 0; left = Math.floor(left / syllables.length))
    word += syllables[(left + rank) % syllables.length]
  return word
}

const words = Array.from({ length: vocabulary }, (_, rank) => toWord(rank))

/** Pages as technical documentation is: few words are on most pages, and most words on few. */
export const searchedPages = function* (pages: number): Generator<SearchedPage> {
  let state = 1
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const sentence = (length: number) =>
    Array.from({ length }, () => words[Math.floor(vocabulary ** random()) - 1] ?? words[0]).join(' ')
  for (let page = 0; page < pages; page++) {
    const sections = Array.from({ length: 7 }, (_, section) => ({
      id: section === 0 ? '' : `section-${section}`,
      heading: section === 0 ? '' : sentence(4),
      text: sentence(85),
    }))
    yield { path: `part-${Math.floor(page / 25)}/page-${page}`, title: sentence(3), trail: [sentence(2)], sections }
  }
}
