import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { count } from '@docket/sources/text'
import type { Nodes, Parents, Root } from 'mdast'
import { SKIP, visit } from 'unist-util-visit'
import {
  parsePage,
  changeFiles,
  type Edit,
  listPages,
  listScope,
  noteLimit,
  readText,
  measureFrontMatter,
  toSpan,
} from '#recipes/docs/pages.ts'
import { type Step, noteUnread } from '#recipes/recipe.ts'

type Finding = { start: number; word: string; correction: string | null; why: string }

/** Fixes typos in English running text only. Ambiguous words and headings that links point to are only reported. */
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
    const found = prose.flatMap((piece) => listFindings(piece, text, typos, names))
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

const listFindings = (piece: Prose, text: string, typos: KnownTypos, names: ReadonlySet<string>): Finding[] => {
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

const small = new Set(
  'the of and to is that it for with are this you be can from not if when your has have will which by an or at use using its they we'.split(
    ' ',
  ),
)

/** Recognises English by its share of common short words. With `isPart`, a text that is too short counts as English. */
const isEnglish = (text: string, isPart = false): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const hits = words.filter((word) => small.has(word)).length
  if (isPart) return words.length < 8 || hits / words.length >= 0.08
  return words.length > 0 && hits / words.length >= 0.12
}

/** A piece of running text with its place on the page. `isHeading` is true when its words form the heading's address. */
type Prose = { start: number; end: number; isHeading: boolean; block: string }

const notProse = new Set([
  'link',
  'linkReference',
  'image',
  'imageReference',
  'code',
  'inlineCode',
  'definition',
  'footnoteDefinition',
])

const quiet =
  /^(code|pre|kbd|samp|var|tt|script|style|svg|math|a|q|blockquote|Prompt|CodeBlock|CodeGroup|Latex|Mermaid)$/i

/** Running text of a page: no code, links, quotations, expressions or attributes, and no paragraph with a template or such HTML. */
const listProse = (tree: Root, text: string): Prose[] => {
  const found: Prose[] = []
  visit(tree, (node, _index, parent) => {
    if (node.type === 'blockquote' || notProse.has(node.type) || isQuietElement(node)) return SKIP
    if (hasPhrases(node) && isUnsafe(node, text)) return SKIP
    if (node.type === 'text' && parent) {
      const { start, end } = toSpan(node)
      const block = toSpan(parent)
      found.push({ start, end, isHeading: parent.type === 'heading', block: text.slice(block.start, block.end) })
    }
    return undefined
  })
  return found
}

const isQuietElement = (node: { type: string }) =>
  node.type.startsWith('mdxJsx') && 'name' in node && quiet.test(String(node.name))

const hasPhrases = (node: Nodes): node is Parents =>
  node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell'

/** The parser puts tags of inline HTML beside the text they enclose. */
const isUnsafe = (node: Parents, text: string) => {
  const { start, end } = toSpan(node)
  return (
    /\{\{|\{%|\$\$|\\\(|\[\[|^:::|^!!!|^\[!/m.test(text.slice(start, end)) ||
    node.children.some((child) => child.type === 'html' && quiet.test(/^<\/?([\w-]+)/.exec(child.value)?.[1] ?? ''))
  )
}

/** Words in code, addresses, front matter, tags, attributes and the file's path, in lower case. */
const listNames = (page: string, text: string): Set<string> => {
  const names = new Set<string>()
  const add = (source: string) => {
    for (const word of source.match(/[A-Za-z]+/g) ?? []) {
      names.add(word.toLowerCase())
      // Parts of camelCase are names of their own.
      for (const part of word.match(/[A-Z]?[a-z]+/g) ?? []) names.add(part.toLowerCase())
    }
  }
  add(page)
  for (const [, key = ''] of text.slice(0, measureFrontMatter(text)).matchAll(/^\s*([\w-]+)\s*:/gm)) add(key)
  const tree = parsePage(text, page)
  if (!tree) return names
  visit(tree, (node) => {
    if (node.type === 'code' || node.type === 'inlineCode') add(node.value)
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') add(node.url)
    else if (node.type === 'html') add((node.value.match(/<[^>]*>/g) ?? []).join(' '))
    else if (node.type.startsWith('mdx') && 'value' in node && typeof node.value === 'string') add(node.value)
  })
  return names
}

type KnownTypos = ReadonlyMap<string, readonly string[]>

type Dictionary = { dictionaryDefinitions: { suggestWords?: string[]; flagWords?: string[] }[] }

/** Listed words that are rare English words or technical terms, and so no typos. */
const words = new Set(
  (
    'absorbant accidently adust affaire affaires afterwords algebraical algin algins alterative altho anonyms archine archines astroid atheistical billon binominal brusk bucker ' +
    'caesarian calender calenders calfs causalities cerate cerates classis clearstories clearstory clos collet collets collogue collogues combatting commandoes comminutes commutated ' +
    'commutating compleat consol conveyer cornel cornels curch decern delate dependance dependancy didactical difficultly discontentment dorp equipments extendible extraversion ' +
    'feeze finings floatation florescent focusses forbad formant formate funguses geometrician geometricians glamourous heathy heros heterogenous highjack highjacked highjacker ' +
    'highjackers highjacking highjacks hightest identic incudes indictor indite intrusted irregardless knifes lacker larvas leafs licker liquify loosing margarite metics midwifes ' +
    'miliary millepede minium miniums monickers neral nickle nonsignificant objet otherwhere pard parrakeets pash phasis pice planed precess precessed precesses precessing quitted ' +
    'rarified rasing reenforced refocussed rememberable reoccurrence responser restauranteur restauranteurs secund sematic sherif signory slippy spiritualty stich succuss succussion ' +
    'surprize technic technics therefor thru tieing toke tormenters torpedos transferrable unmistakeably vermillion vertexes waring wheres withing worser yeld ' +
    'foward-looking programing readd readded reuse reused reusable subpath subpaths timestep'
  ).split(' '),
)

/** Three letters are often an abbreviation, so a word of three has to be one of these gone wrong. */
const frequent = new Set(
  'the and you for not are was has have had his her she our your out who one all any new now use way with that this'.split(
    ' ',
  ),
)

const loadTypos = async (): Promise<KnownTypos> => {
  // The package exports only its configuration, so the list is read from the file beside it.
  const place = import.meta.resolve('@cspell/dict-en-common-misspellings/cspell-ext.json')
  const text = await readFile(fileURLToPath(new URL('dict/dict-en.json', place)), 'utf8')
  const { dictionaryDefinitions } = JSON.parse(text) as Dictionary
  const entries = dictionaryDefinitions.flatMap(({ suggestWords = [], flagWords = [] }) => [
    ...suggestWords,
    ...flagWords,
  ])
  const typos = new Map<string, string[]>()
  for (const entry of entries) {
    const [typo = '', list = ''] = entry.split('->')
    const corrections = list.split(',').map((word) => word.trim())
    const isPlain = /^[a-z]{3,}$/.test(typo) && corrections.every((word) => /^[a-z]{3,}$/.test(word))
    const isShort = typo.length === 3
    if (isPlain && !words.has(typo) && (!isShort || corrections.every((word) => frequent.has(word))))
      typos.set(typo, corrections)
  }
  return typos
}

/** One letter added, missing, changed or swapped; two such mistakes in a long word. */
const isSlip = (typo: string, word: string): boolean => {
  const maxDistance = typo.length >= 8 ? 2 : 1
  return typo[0] === word[0] && countLetterEdits(typo, word) <= maxDistance
}

/** Number of letters to add, remove, replace or swap with a neighbour (optimal string alignment). */
const countLetterEdits = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = Number(a[i - 1] !== b[j - 1])
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
