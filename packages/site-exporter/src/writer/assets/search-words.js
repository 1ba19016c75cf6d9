// Words of texts and queries, at export and in a browser.
/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer. */
const unspaced =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}\\p{Z}\\p{P}\\p{S}\\p{C}]+`, 'gu')
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u')
/** Accents, and the vowels of Hebrew and Arabic, which most people don’t write. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]+/g
const ascii = /^[\0-\x7f]*$/
const isUnspaced = (text) => startsUnspaced.test(text)
/** Converts text to lower case without accents and width variants; cuts longer words. */
const foldWord = (word) =>
  ascii.test(word)
    ? word.toLowerCase().slice(0, 40)
    : word
        .normalize('NFKD')
        .replace(marks, '')
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
        .replace(marks, '')
        .slice(0, 40)
        .replace(/[\ud800-\udbff]$/, '')
const pairCharacters = (run) => {
  const characters = Array.from(run)
  return characters.length < 2 ? characters : characters.slice(1).map((second, index) => characters[index] + second)
}
const splitTerms = (text) =>
  [...text.matchAll(runs)].flatMap(([run]) => {
    const word = foldWord(run)
    return isUnspaced(word) ? pairCharacters(word) : word === '' ? [] : [word]
  })

/** Pieces of a text, in turn outside and inside the words that were found. */
const splitMarked = (text, terms) => {
  const pieces = ['']
  let end = 0
  const mark = (from, to) => {
    if (from === end && pieces.length > 1 && pieces.length % 2 === 1 && pieces.at(-1) === '') {
      pieces.pop()
      pieces[pieces.length - 1] += text.slice(from, to)
    } else {
      pieces[pieces.length - 1] += text.slice(end, from)
      pieces.push(text.slice(from, to))
    }
    pieces.push('')
    end = to
  }
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (isUnspaced(run)) {
      for (let at = 0; at < run.length; at++) {
        const from = index + at
        if (terms.has(foldWord(run.slice(at, at + 2))) && at + 1 < run.length) mark(Math.max(end, from), from + 2)
        else if (terms.has(run[at])) mark(Math.max(end, from), from + 1)
      }
    } else if (terms.has(foldWord(run))) mark(index, index + run.length)
  }
  pieces[pieces.length - 1] += text.slice(end)
  return pieces
}

export const searchTerms = { ascii, runs, isUnspaced, foldWord, pairCharacters, splitTerms, splitMarked }
