import { createHash } from 'node:crypto'
import type { Finding, Level, Place } from '#report.ts'
import { cutTarget, rules, type Rule } from './rules.ts'

const maxCauses = 10_000
const maxPlaces = 1_000
/** Places of all findings together, from which on each finding keeps `fewPlaces` only. */
const manyPlaces = 50_000
const fewPlaces = 5

export type NewPlace = Pick<Place, 'page' | 'path'> & { excerpt?: () => string; line?: () => number | null }

const toFingerprint = (level: Level, rule: string, target: string | null) =>
  createHash('sha256')
    .update(JSON.stringify([level, rule, target]))
    .digest('hex')
    .slice(0, 32)

const toFinding = (level: Level, rule: string, sentence: string, target: string | null): Omit<Finding, 'seenBy'> => ({
  fingerprint: toFingerprint(level, rule, target),
  level,
  rule,
  sentence,
  target,
  places: [],
  total: 0,
})

/** `detail` is only for the sentence. */
export const createFinding = (rule: Rule, target: string | null, detail = ''): Omit<Finding, 'seenBy'> => {
  const [level, sentence] = rules[rule]
  const named = target === null ? null : cutTarget(target)
  const filled = sentence.replace(/\{(target|host|why)\}/g, (_, name) => (name === 'target' ? (named ?? '') : detail))
  return toFinding(level, rule, filled, named)
}

/** Places of one cause. Places that are not kept are only counted. */
export type NewPlaces = Iterable<NewPlace> & { length: number }

const order: Readonly<Record<Level, number>> = { breaks: 0, leaks: 1, notes: 3 }

/** Reported links that are broken in the author's own sources. They come before the other notes. */
const sourceRules = new Set(['report-broken-link', 'report-broken-anchor', 'report-missing-file'])

type Ranked = Pick<Finding, 'level' | 'rule' | 'total' | 'fingerprint'>

const rank = ({ level, rule }: Ranked) => order[level] - (sourceRules.has(rule) ? 1 : 0)

/** Order of findings: worst first, then those with the most places. */
export const compareFindings = (a: Ranked, b: Ranked): number =>
  rank(a) - rank(b) || b.total - a.total || (a.fingerprint < b.fingerprint ? -1 : 1)

export const collectFindings = () => {
  const causes = new Map<string, Finding>()
  let placeCount = 0
  let areAllListed = true
  const find = (key: string, create: () => Finding): Finding | null => {
    const known = causes.get(key)
    if (known !== undefined) return known
    if (causes.size >= maxCauses) {
      areAllListed = false
      return null
    }
    const finding = create()
    causes.set(key, finding)
    return finding
  }
  const addPlaces = (finding: Finding, places: NewPlaces) => {
    finding.total += places.length
    for (const { page, path, excerpt, line } of places) {
      if (finding.places.length >= (placeCount > manyPlaces ? fewPlaces : maxPlaces)) return
      placeCount += 1
      finding.places.push({ page, path, excerpt: excerpt?.() ?? null, line: line?.() ?? null })
    }
  }
  const addAll = (rule: Rule, target: string | null, places: NewPlaces, detail = '') => {
    const finding = find(`${rule}\n${target === null ? '' : cutTarget(target)}`, () => ({
      ...createFinding(rule, target, detail),
      seenBy: 'check',
    }))
    if (finding !== null) addPlaces(finding, places)
  }
  return {
    addAll,
    add: (rule: Rule, target: string | null, place: NewPlace, detail = '') => addAll(rule, target, [place], detail),
    addReported: (remark: { rule: string; sentence: string; target: string | null }, place: NewPlace) => {
      const rule = `report-${remark.rule}`
      const target = remark.target === null ? null : cutTarget(remark.target)
      const finding = find(`${rule}\n${target ?? ''}`, () => ({
        ...toFinding('notes', rule, cutTarget(remark.sentence), target),
        seenBy: 'report',
      }))
      if (finding !== null) addPlaces(finding, [place])
    },
    /** `areAllListed` is false when there were too many causes. */
    finish: () => ({
      areAllListed,
      findings: [...causes.values()].toSorted(compareFindings),
    }),
  }
}

export type Findings = ReturnType<typeof collectFindings>
