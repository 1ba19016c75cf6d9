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

/** True for a pattern that only one address fits. */
export const isExact = ({ parts, hasRest }: RulePattern): boolean => !hasRest && parts.every((part) => 'text' in part)

/** The parts of an address that the names stand for, as they were asked for. Takes time linear in the address. */
const matchPattern = (
  { parts, hasRest }: RulePattern,
  raw: readonly string[],
  decoded: readonly string[],
): Map<string, string> | null => {
  const count = !hasRest && raw.length > 1 && raw.at(-1) === '' ? raw.length - 1 : raw.length
  if (hasRest ? count <= parts.length : count !== parts.length) return null
  const fits = parts.every((part, place) =>
    'text' in part ? part.text === decoded[place] : raw[place] !== '' && (!part.isNumber || /^\d+$/.test(raw[place]!)),
  )
  if (!fits || (hasRest && raw[parts.length] === '' && count > parts.length + 1)) return null
  const values = new Map(parts.flatMap((part, place) => ('text' in part ? [] : [[part.name, raw[place]!]])))
  return hasRest ? values.set('splat', raw.slice(parts.length).join('/')) : values
}

/** Adds what the names of a rule stand for. False when the query lacks what the rule asks for. */
const matchQuery = ({ query }: Rule, asked: string, values: Map<string, string>): boolean => {
  if (query === undefined) return true
  const found = new URLSearchParams(asked)
  return Object.entries(query).every(([key, wanted]) => {
    const value = found.get(key)
    if (value === null || !wanted.startsWith(':')) return value === wanted
    if (!values.has(wanted.slice(1))) values.set(wanted.slice(1), encodeURIComponent(value))
    return true
  })
}

/** `to` is an address of the site or a URL, as a browser would read it. */
export type MatchedRule = { rule: Rule; to: string | null }

/** Fills in the names of a target. Null for one that a browser would take for another host. */
const fill = (rule: Rule, values: Map<string, string> | null, query: string): MatchedRule | null => {
  if (values === null || !matchQuery(rule, query, values)) return null
  if (rule.to === null) return { rule, to: null }
  const filled = rule.to.replaceAll(/:([a-z]\w*)/gi, (all, name: string) => escapeLocation(values.get(name) ?? all))
  const to = filled.startsWith('/') ? readOwnAddress(filled) : (URL.parse(filled)?.href ?? null)
  return to === null ? null : { rule, to }
}

/** Rules for addresses come before patterns: one that an earlier pattern covers is left out when rules are parsed. */
export const createRuleMatcher = (rules: readonly Rule[]) => {
  const exact = new Map<string, Rule[]>()
  const patterns: { rule: Rule; pattern: RulePattern; first: string | null }[] = []
  let hasForced = false
  let maxParts = 0
  const add = (rule: Rule) => {
    const address = removeEndSlash(rule.from.normalize('NFC'))
    const pattern = readPattern(address)
    if (pattern === null) return
    hasForced ||= rule.isForced === true
    if (isExact(pattern)) exact.set(address, [...(exact.get(address) ?? []), rule])
    else {
      maxParts = Math.max(maxParts, pattern.parts.length)
      const [first] = pattern.parts
      patterns.push({ rule, pattern, first: first !== undefined && 'text' in first ? first.text : null })
    }
  }
  for (const rule of rules) add(rule)

  const find = (address: string, decoded: string, query: string, onlyForced = false): MatchedRule | null => {
    if (onlyForced && !hasForced) return null
    const counts = ({ isForced }: Rule) => !onlyForced || isForced === true
    for (const rule of exact.get(removeEndSlash(decoded.normalize('NFC'))) ?? []) {
      const found = counts(rule) ? fill(rule, new Map(), query) : null
      if (found !== null) return found
    }
    if (patterns.length === 0) return null
    const raw = address.split('/').slice(1)
    const names = raw.slice(0, maxParts).map((part) => (decodeAddress(part) ?? part).normalize('NFC'))
    for (const { rule, pattern, first } of patterns) {
      if (first !== null && first !== names[0]) continue
      const found = counts(rule) ? fill(rule, matchPattern(pattern, raw, names), query) : null
      if (found !== null) return found
    }
    return null
  }
  return { add, find }
}
