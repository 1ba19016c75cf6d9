import { includesName, type PageFacts } from '#pages/page-facts.ts'
import type { Findings, NewPlace } from './collect-findings.ts'

/** Texts are kept for this many places. For others, only the page is kept. */
const maxTexts = 1_000

/** The name in the fragment of an address; null when browsers look for none. */
export const readFragment = (address: string): string | null => {
  const at = address.indexOf('#')
  const name = at === -1 ? '' : address.slice(at + 1).replace(/:~:.*$/s, '')
  return name === '' || name.toLowerCase() === 'top' ? null : name
}

const decodeFragment = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const maxNameChars = 200
const maxBeginnings = 20

/** A state that scripts keep in the address, such as `#/route`, `#tab=npm` or a whole example in code, or no name at all, such as `#_`. */
const isScriptState = (name: string) =>
  name.length > maxNameChars || /[/=!?&]|[a-z\d+$]{40}|^[\p{P}\p{S}]+$/iu.test(name)

/** What a text could have in quotes to make a name: the name, or its beginning up to a separator, which has a mark here. */
const listMakings = (name: string) => [
  name,
  ...[...name.matchAll(/[-_:.]/g)]
    .slice(0, maxBeginnings)
    .flatMap(({ index }) => (index > 1 ? `${name.slice(0, index + 1)}\0` : [])),
]

/** Finds the names in `wanted` that a text contains in quotes, in one pass. */
const findMakings = (text: string, wanted: ReadonlySet<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (one: string) => wanted.has(one) && found.add(one)
  for (const [, mark, quoted = '', end] of text.matchAll(/(["'`]|=(?!=))(?=([^"'`]{0,200})(["'`]?))/g)) {
    const [word] = /^[^\s>\\]*/.exec(quoted)!
    if (end !== '' || word.length < quoted.length) add(word)
    if (end !== '') add(quoted)
    if (mark === '=') continue
    const [beginning = '', more] = quoted.split('${', 2)
    if (end !== '' || more !== undefined) add(`${beginning}\0`)
  }
  return found
}

/** Checks a fragment as soon as its target page is known, so that few have to wait. */
export const createFragmentCheck = () => {
  const known = new Map<string, PageFacts>()
  const missing = new Map<string, Map<string, NewPlace[]>>()
  const has = (facts: PageFacts, name: string) =>
    includesName(facts.ids, name) || includesName(facts.ids, decodeFragment(name))
  return {
    add: (path: string, name: string, toPlaces: () => Iterable<NewPlace>) => {
      const facts = known.get(path)
      if (facts !== undefined && has(facts, name)) return
      const ofPage = missing.get(path) ?? new Map<string, NewPlace[]>()
      missing.set(path, ofPage)
      const places = ofPage.get(name) ?? []
      ofPage.set(name, places)
      for (const { page, path: file, excerpt, line } of toPlaces()) {
        // The page is no longer in memory when this is decided.
        const [text, number] = places.length < maxTexts ? [excerpt?.() ?? '', line?.() ?? null] : ['', null]
        places.push({ page, path: file, excerpt: () => text, line: () => number })
      }
    },
    settle: (path: string, facts: PageFacts) => {
      known.set(path, facts)
      const ofPage = missing.get(path)
      for (const name of ofPage?.keys() ?? []) if (has(facts, name)) ofPage!.delete(name)
      if (ofPage?.size === 0) missing.delete(path)
    },
    /** A name that the page's markup or scripts could make is a note: scripts name tabs and headings. */
    report: async (
      findings: Findings,
      site: {
        toAddress: (path: string) => string
        listScripts: (path: string) => string[]
        readText: (path: string) => Promise<string | null>
      },
    ) => {
      const { toAddress, listScripts, readText } = site
      const pages = [...missing].flatMap(([path, ofPage]) => {
        const facts = known.get(path)
        return facts === undefined || facts.redirectsTo !== null ? [] : [{ path, facts, ofPage }]
      })
      const wanted = new Set(
        pages.flatMap(({ ofPage }) =>
          [...ofPage.keys()]
            .map(decodeFragment)
            .filter((name) => !isScriptState(name))
            .flatMap(listMakings),
        ),
      )
      const makings = new Map<string, ReadonlySet<string>>()
      for (const { path, facts, ofPage } of pages) {
        const own = [path, ...listScripts(path)]
        for (const file of own)
          if (!makings.has(file)) makings.set(file, findMakings((await readText(file)) ?? '', wanted))
        for (const [fragment, places] of ofPage) {
          const name = decodeFragment(fragment)
          const couldMake = () => listMakings(name).some((one) => own.some((file) => makings.get(file)!.has(one)))
          const isHidden = facts.headings === 0 || isScriptState(name) || includesName(facts.slugs, name) || couldMake()
          findings.addAll(isHidden ? 'hidden-fragment' : 'missing-fragment', `${toAddress(path)}#${fragment}`, places)
        }
        // No other page has the text of this one.
        makings.delete(path)
      }
    },
  }
}
