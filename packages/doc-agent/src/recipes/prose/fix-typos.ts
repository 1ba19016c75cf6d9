import { count } from '@docket/sources/text'
import { parsePage } from '#recipes/docs/page-tree.ts'
import { changeFiles, type Edit, listPages, listScope, noteLimit, readText } from '#recipes/docs/pages.ts'
import type { Step } from '#recipes/recipe.ts'
import { noteUnread } from '#recipes/report-lines.ts'
import { isSlip, type KnownTypos, loadTypos } from './known-typos.ts'
import { listNames, listProse, type Prose } from './prose.ts'

type Finding = { start: number; word: string; correction: string | null; why: string }

/**
 * Corrects known misspellings with one correction, in English running text only: never in code, links, quotations, identifiers, front
 * matter or names. Reports and leaves ambiguous words and words of headings that links name.
 */
export const fixTypos: Step = async (work) => {
  const typos = await loadTypos()
  const names = new Set<string>()
  for (const page of await listPages(work)) {
    const text = await readText(work.checkout, page)
    for (const name of text === null ? [] : listNames(page, text)) if (typos.has(name)) names.add(name)
  }
  const changed = await changeFiles(work, await listScope(work), (text, page) => {
    const tree = parsePage(text, page)
    const prose = tree ? listProse(tree, text) : []
    if (!isEnglish(prose.map(({ start, end }) => text.slice(start, end)).join(' '))) return { edits: [] }
    const found = prose.flatMap((piece) => findingsIn(piece, text, typos, names))
    return {
      edits: found.flatMap(({ start, word, correction }): Edit[] =>
        correction === null ? [] : [{ start, end: start + word.length, text: correction }],
      ),
      findings: found.flatMap(({ start, word, correction, why }) =>
        correction === null ? [{ at: start, what: `“${word}” — ${why}` }] : [],
      ),
    }
  })
  const { files, changes, findings } = changed
  const fixed =
    changes.count === 0 ? 'No typo to fix.' : `Fixed ${count(changes.count, 'typo')} in ${count(files, 'page')}.`
  const left = findings.count === 0 ? '' : ` ${count(findings.count, 'word')} left for a person.`
  const notes = [...noteLimit(changed, work.limit), ...noteUnread(changed)]
  return { summary: fixed + left, files, changes, findings, notes }
}

/** A word by itself: what touches letters, digits or signs of code is part of a name. */
const wordAlone = /(?<=^|[\s(—–])[A-Za-z]{3,}(?=[.,;:!?]?(?:[\s)—–]|$))/g

const findingsIn = (piece: Prose, text: string, typos: KnownTypos, names: ReadonlySet<string>): Finding[] => {
  const source = text.slice(piece.start, piece.end)
  const around = text[piece.start - 1] ?? ' '
  return [...source.matchAll(wordAlone)].flatMap((match): Finding[] => {
    const [word] = match
    const corrections = typos.get(word.toLowerCase())
    // A word next to markup without a blank is part of something longer.
    const isCut =
      (match.index === 0 && !/[\s>*_([]/.test(around)) ||
      (match.index + word.length === source.length && /[\w`<{[]/.test(text[piece.end] ?? ' '))
    if (!corrections || isCut || !/^[A-Z]?[a-z]+$/.test(word)) return []
    const start = piece.start + match.index
    const [only] = corrections
    const say = (why: string): Finding[] => [{ start, word, correction: null, why }]
    if (isQuoted(source, match.index)) return []
    if (/^[A-Z]/.test(word) && !startsSentence(source, match.index)) return []
    if (names.has(word.toLowerCase())) return say('also a name in code or addresses')
    if (!isEnglish(piece.block, true)) return say('not in an English sentence')
    if (corrections.length > 1) return say(`may mean ${corrections.join(', ')}`)
    if (only === undefined || !isSlip(word.toLowerCase(), only)) return say(`may mean ${only}, but is not close to it`)
    if (piece.isHeading) return say(`${only}; links may name this heading`)
    return [{ start, word, correction: /^[A-Z]/.test(word) ? only[0]!.toUpperCase() + only.slice(1) : only, why: '' }]
  })
}

/** Quotations, and words that the text talks about. */
const isQuoted = (source: string, index: number) => {
  const [before, after] = [source.slice(0, index), source.slice(index)]
  const isOdd = (sign: string) => before.split(sign).length % 2 === 0
  return (
    isOdd('"') ||
    /“[^”]*$/.test(before) ||
    /«[^»]*$/.test(before) ||
    (/(^|\s)'[^']*$/.test(before) && /^[^']*'(\W|$)/.test(after))
  )
}

const startsSentence = (source: string, index: number) => /(^|[.!?]\s+)$/.test(source.slice(0, index))

/** Small English words that similar languages lack. */
const small = new Set(
  'the of and to is that it for with are this you be can from not if when your has have will which by an or at use using its they we'.split(
    ' ',
  ),
)

/**
 * True when a text is English, by its share of common short words. With `isPart`, a text that is too short counts as
 * English.
 */
const isEnglish = (text: string, isPart = false): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const hits = words.filter((word) => small.has(word)).length
  if (isPart) return words.length < 8 || hits / words.length >= 0.08
  return words.length > 0 && hits / words.length >= 0.12
}
