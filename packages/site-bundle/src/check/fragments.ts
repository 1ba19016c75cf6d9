import { includesName, type PageFacts } from '#pages/page-facts.ts'
import type { Findings, NewPlace } from './collect-findings.ts'

/** Places whose texts are kept; of the others only the page. */
const maxTexts = 1_000

/** The name in the fragment of an address; null when browsers look for none. */
export const readFragment = (address: string): string | null => {
  const at = address.indexOf('#')
  const name = at === -1 ? '' : address.slice(at + 1).replace(/:~:.*$/s, '')
  return name === '' || name.toLowerCase() === 'top' ? null : name
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A state that scripts keep in the address, such as `#/route`, `#tab=npm` or a whole example in code, or no name at all, such as `#_`. */
const isState = (name: string) => /[/=!?&]|[a-z\d+$]{40}|^[\p{P}\p{S}]+$/iu.test(name)

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** True when a text has the name, or its beginning before a separator, in quotes of its own. */
const couldMake = (text: string, name: string) => {
  if (!text.includes(name) && !/[-_:.]/.test(name)) return false
  const beginnings = [...name.matchAll(/[-_:.]/g)]
    .map(({ index }) => name.slice(0, index + 1))
    .filter((one) => one.length > 2)
  const whole = new RegExp(String.raw`["'\`=]${escape(name)}["'\`\s>\\]`)
  return (
    whole.test(text) || beginnings.some((one) => new RegExp(String.raw`["'\`]${escape(one)}(?:["'\`]|\$\{)`).test(text))
  )
}

/** Checks fragments as soon as their page is known, so that few wait. */
export const checkFragments = () => {
  const known = new Map<string, PageFacts>()
  const missing = new Map<string, Map<string, NewPlace[]>>()
  const has = (facts: PageFacts, name: string) => includesName(facts.ids, name) || includesName(facts.ids, decode(name))
  return {
    /** A link to a part of a page. */
    add: (path: string, name: string, toPlaces: () => Iterable<NewPlace>) => {
      const facts = known.get(path)
      if (facts !== undefined && has(facts, name)) return
      const ofPage = missing.get(path) ?? new Map<string, NewPlace[]>()
      missing.set(path, ofPage)
      const places = ofPage.get(name) ?? []
      ofPage.set(name, places)
      for (const { page, path: file, excerpt, line } of toPlaces()) {
        // The page itself is gone when this is decided.
        const [text, number] = places.length < maxTexts ? [excerpt?.() ?? '', line?.() ?? null] : ['', null]
        places.push({ page, path: file, excerpt: () => text, line: () => number })
      }
    },
    /** The facts of a page; what waited for it is settled. */
    settle: (path: string, facts: PageFacts) => {
      known.set(path, facts)
      const ofPage = missing.get(path)
      for (const name of ofPage?.keys() ?? []) if (has(facts, name)) ofPage!.delete(name)
      if (ofPage?.size === 0) missing.delete(path)
    },
    /**
     * Reports what is missing. A name that the page's own markup or scripts could turn into a part of it is a note: tabs and headings
     * whose names scripts make are no errors.
     */
    report: async (
      findings: Findings,
      { toAddress, readTexts }: { toAddress: (path: string) => string; readTexts: (path: string) => Promise<string[]> },
    ) => {
      for (const [path, ofPage] of missing) {
        const facts = known.get(path)
        if (facts === undefined || facts.redirectsTo !== null) continue
        const texts = await readTexts(path)
        const isDrawn = facts.headings === 0
        for (const [fragment, places] of ofPage) {
          const name = decode(fragment)
          const isHidden =
            isState(name) || isDrawn || includesName(facts.slugs, name) || texts.some((text) => couldMake(text, name))
          const target = `${toAddress(path)}#${fragment}`
          for (const place of places) findings.add(isHidden ? 'hidden-fragment' : 'missing-fragment', target, place)
        }
      }
    },
  }
}
