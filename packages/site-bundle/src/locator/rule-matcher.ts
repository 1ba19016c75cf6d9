import { decodeAddress, escapeLocation, readOwnAddress, removeEndSlash } from './addresses.ts'
import type { Rule } from '#site-rules.ts'

/** `/blog/:year/:post(number)/*`: parts that each stand for themselves or for any name or number, and perhaps all that follows. */
export type RulePattern = { parts: readonly RulePart[]; hasRest: boolean }
export type RulePart = { text: string } | { name: string; isNumber: boolean }

const readPart = (part: string): RulePart | null => {
  if (!/^:|\*/.test(part)) return { text: part }
  const [, name, digits] = /^:([a-z]\w*)(\(number\))?$/i.exec(part) ?? []
  return name === undefined ? null : { name, isNumber: digits !== undefined }
}

/** Null for a pattern with wildcards elsewhere. */
export const readPattern = (from: string): RulePattern | null => {
  const names = removeEndSlash(from).split('/').slice(1)
  const hasRest = names.at(-1) === '*'
  const parts = (hasRest ? names.slice(0, -1) : names).map(readPart)
  return parts.includes(null) ? null : { parts: parts as RulePart[], hasRest }
}

export const isRedirect = ({ status }: { status: number }): boolean => status >= 300 && status < 400

/** True for a pattern that only one address fits. */
export const isExact = ({ parts, hasRest }: RulePattern): boolean => !hasRest && parts.every((part) => 'text' in part)

/** An address in pieces: as it was asked for, and decoded. */
type Asked = { raw: readonly string[]; decoded: readonly string[] }

/** The parts of an address that the names of a pattern stand for, as they were asked for. Takes time linear in the address. */
const matchPattern = ({ parts, hasRest }: RulePattern, { raw, decoded }: Asked): Map<string, string> | null => {
  if (hasRest ? raw.length <= parts.length : raw.length !== parts.length) return null
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place]!
    if (
      'text' in part ? part.text !== decoded[place] : raw[place] === '' || (part.isNumber && !/^\d+$/.test(raw[place]!))
    )
      return null
  }
  const values = new Map(parts.flatMap((part, place) => ('name' in part ? [[part.name, raw[place]!] as const] : [])))
  if (!hasRest) return values
  const rest = raw.slice(parts.length).join('/')
  return rest.startsWith('/') ? null : values.set('splat', rest)
}

/** Null when the query lacks what the rule asks for. */
const matchQuery = ({ query }: Rule, asked: URLSearchParams | null): Map<string, string> | null => {
  const values = new Map<string, string>()
  for (const [key, wanted] of Object.entries(query ?? {})) {
    const value = asked?.get(key) ?? null
    if (value === null || (!wanted.startsWith(':') && value !== wanted)) return null
    if (wanted.startsWith(':')) values.set(wanted.slice(1), encodeURIComponent(value))
  }
  return values
}

/** `to` is an address of the site or a URL, as a browser would read it. */
export type MatchedRule = { rule: Rule; to: string | null }

type Patterned = { rule: Rule; pattern: RulePattern; place: number }

/** Rules for addresses come before patterns: one that an earlier pattern covers is left out when rules are parsed. */
export const createRuleMatcher = (rules: readonly Rule[]) => {
  const exact = new Map<string, Rule[]>()
  /** By the text of their first part; empty for one that begins with a name. */
  const patterns = new Map<string, Patterned[]>()
  let patternCount = 0
  let hasForced = false
  let maxParts = 0
  const add = (rule: Rule) => {
    hasForced ||= rule.isForced === true
    const pattern = readPattern(rule.from.normalize('NFC'))
    if (pattern === null) return
    if (!isExact(pattern)) {
      maxParts = Math.max(maxParts, pattern.parts.length)
      const [first] = pattern.parts
      const key = first !== undefined && 'text' in first ? first.text : ''
      const known = patterns.get(key) ?? []
      known.push({ rule, pattern, place: patternCount })
      patterns.set(key, known)
      patternCount += 1
      return
    }
    const address = removeEndSlash(rule.from.normalize('NFC'))
    const known = exact.get(address)
    if (known === undefined) exact.set(address, [rule])
    else known.push(rule)
  }
  for (const rule of rules) add(rule)

  /** In their order. */
  const listCandidates = function* (first: string): Generator<Patterned> {
    const own = first === '' ? [] : (patterns.get(first) ?? [])
    let place = 0
    for (const other of patterns.get('') ?? []) {
      for (; place < own.length && own[place]!.place < other.place; place += 1) yield own[place]!
      yield other
    }
    yield* own.slice(place)
  }

  /** Fills in the names of a target. Null for one that a browser would take for another host. */
  const fill = (rule: Rule, values: ReadonlyMap<string, string>, query: URLSearchParams | null): MatchedRule | null => {
    const asked = matchQuery(rule, query)
    if (asked === null) return null
    const name = (all: string, key: string) => {
      const value = values.get(key) ?? asked.get(key)
      return value === undefined ? all : escapeLocation(value)
    }
    if (rule.to === null) return { rule, to: null }
    const filled = rule.to.replaceAll(/:([a-z]\w*)/gi, name)
    const to = filled.startsWith('/') ? readOwnAddress(filled) : (URL.parse(filled)?.href ?? null)
    return to === null ? null : { rule, to }
  }

  const find = (address: string, decoded: string, query: string, onlyForced = false): MatchedRule | null => {
    if ((onlyForced && !hasForced) || (exact.size === 0 && patternCount === 0)) return null
    const parameters = query === '' ? null : new URLSearchParams(query)
    for (const rule of exact.get(removeEndSlash(decoded.normalize('NFC'))) ?? []) {
      if ((onlyForced && rule.isForced !== true) || (rule.query !== undefined && parameters === null)) continue
      const found = fill(rule, new Map(), parameters)
      if (found !== null) return found
    }
    if (patternCount === 0) return null
    const raw = address.split('/').slice(1)
    const whole: Asked = {
      raw,
      decoded: raw.slice(0, maxParts).map((part) => (decodeAddress(part) ?? part).normalize('NFC')),
    }
    const bare = raw.length > 1 && raw.at(-1) === '' ? { raw: raw.slice(0, -1), decoded: whole.decoded } : whole
    for (const { rule, pattern } of listCandidates(whole.decoded[0] ?? '')) {
      if (onlyForced && rule.isForced !== true) continue
      const values = matchPattern(pattern, pattern.hasRest ? whole : bare)
      const found = values === null ? null : fill(rule, values, parameters)
      if (found !== null) return found
    }
    return null
  }
  return { add, find }
}
