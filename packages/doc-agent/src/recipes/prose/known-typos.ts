import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Corrections by misspelt word, all in lower case. */
export type KnownTypos = ReadonlyMap<string, readonly string[]>

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

export const loadTypos = async (): Promise<KnownTypos> => {
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

/**
 * True when a typo is one slip away from a word: a letter added, missing, changed or swapped. Two slips in a long word.
 */
export const isSlip = (typo: string, word: string): boolean => {
  const maxDistance = typo.length >= 8 ? 2 : 1
  return typo[0] === word[0] && distance(typo, word) <= maxDistance
}

/** Letters to add, take away, replace or swap with their neighbour (optimal string alignment). */
const distance = (a: string, b: string): number => {
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
