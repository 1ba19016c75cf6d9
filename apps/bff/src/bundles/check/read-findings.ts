import type {
  ArtifactCheck,
  Finding as ApiFinding,
  FindingCounts,
  FindingsQuery,
  FindingState,
} from '@docket/api-types/artifacts'
import { compareFindings } from '@docket/site-bundle/check/collect-findings'
import type { Finding, Report } from '@docket/site-bundle/report'

export type KnownFinding = Omit<Finding, 'seenBy'> & Pick<ApiFinding, 'seenBy' | 'state' | 'accepted'>

type Acceptances = ReadonlyMap<string, NonNullable<ApiFinding['accepted']>>

type FindingSources = {
  report: Report
  previewed: readonly Omit<Finding, 'seenBy'>[]
  /** Findings of the previous artifact; null without one. */
  previous: { report: Report; previewed: readonly Omit<Finding, 'seenBy'>[] } | null
  accepted: Acceptances
}

const mergePreviewed = (found: readonly Finding[], previewed: FindingSources['previewed']) => {
  const known = new Set(found.map(({ fingerprint }) => fingerprint))
  const added = previewed.filter(({ fingerprint }) => !known.has(fingerprint))
  return [...found, ...added.map((finding) => ({ ...finding, seenBy: 'preview' as const }))]
}

/** Lists an artifact's findings, and resolved ones of the previous. New and resolved are unknown unless both checks finished. */
export const listFindings = ({ report, previewed, previous, accepted }: FindingSources): KnownFinding[] => {
  const here = mergePreviewed(report.findings, previewed)
  const before = new Map(
    previous === null
      ? []
      : mergePreviewed(previous.report.findings, previous.previewed).map((finding) => [finding.fingerprint, finding]),
  )
  const isComparable = previous !== null && previous.report.unfinished === null
  const findState = (fingerprint: string): FindingState | null =>
    before.has(fingerprint) ? 'same' : isComparable ? 'new' : null
  const listed = new Set(here.map(({ fingerprint }) => fingerprint))
  const gone = report.unfinished === null ? [...before.values()].filter((one) => !listed.has(one.fingerprint)) : []
  return [
    ...here.map((finding) => ({ ...finding, state: findState(finding.fingerprint) })),
    ...gone.map((finding) => ({ ...finding, state: 'gone' as const })),
  ]
    .map((finding) => ({ ...finding, accepted: accepted.get(finding.fingerprint) ?? null }))
    .toSorted(compareFindings)
}

type Filters = Pick<FindingsQuery, 'level' | 'rule' | 'state' | 'accepted' | 'page' | 'q'>

const includesText = (text: string | null, wanted: string) => text?.toLowerCase().includes(wanted) ?? false

const buildFilters = (
  query: Filters,
): Record<'level' | 'rule' | 'state' | 'accepted' | 'rest', (one: KnownFinding) => boolean> => {
  const { level, rule, state, accepted, page } = query
  const q = query.q?.toLowerCase() ?? ''
  return {
    level: (one) => level === undefined || one.level === level,
    rule: (one) => rule === undefined || one.rule === rule,
    // Resolved findings are listed only on request.
    state: (one) => (state === undefined ? one.state !== 'gone' : one.state === state),
    accepted: (one) => accepted === undefined || (one.accepted !== null) === accepted,
    rest: (one) =>
      (page === undefined || one.places.some((place) => place.page === page)) &&
      (q === '' ||
        includesText(one.sentence, q) ||
        includesText(one.target, q) ||
        includesText(one.rule, q) ||
        one.places.some((place) => includesText(place.page, q) || includesText(place.path, q))),
  }
}

export const filterFindings = (findings: readonly KnownFinding[], query: Filters): KnownFinding[] => {
  const tests = Object.values(buildFilters(query))
  return findings.filter((one) => tests.every((test) => test(one)))
}

export const countLevels = (findings: readonly Pick<KnownFinding, 'level' | 'accepted'>[]): FindingCounts => {
  const counts = { breaks: 0, leaks: 0, notes: 0 }
  for (const { level, accepted } of findings) if (accepted === null) counts[level] += 1
  return counts
}

/** Counts for the choices of each filter, with the other filters applied. */
export const countFacets = (findings: readonly KnownFinding[], query: Filters) => {
  const tests = buildFilters(query)
  const names = ['level', 'rule', 'state', 'accepted', 'rest'] as const
  const without = (left: (typeof names)[number]) =>
    findings.filter((one) => names.every((name) => name === left || tests[name](one)))
  const levels = { breaks: 0, leaks: 0, notes: 0 }
  for (const { level } of without('level')) levels[level] += 1
  const states = { new: 0, same: 0, gone: 0 }
  for (const { state } of without('state')) if (state !== null) states[state] += 1
  const byRule = Map.groupBy(without('rule'), ({ rule }) => rule)
  const rules = [...byRule].map(([rule, some]) => ({ rule, level: some[0]!.level, count: some.length }))
  return { levels, states, accepted: without('accepted').filter((one) => one.accepted !== null).length, rules }
}

export const describeCheck = (
  findings: readonly KnownFinding[],
  { unfinished }: Report,
  isFirst: boolean,
): ArtifactCheck => {
  const here = findings.filter(({ state }) => state !== 'gone')
  return {
    state: unfinished === null ? 'finished' : 'not_finished',
    detail: unfinished,
    findings: countLevels(here),
    added: isFirst ? null : countLevels(here.filter(({ state }) => state === 'new')),
  }
}

/** Includes the first places of the finding. */
export const toApiFinding = (finding: KnownFinding, page?: string): ApiFinding => {
  const places = page === undefined ? finding.places : finding.places.filter((place) => place.page === page)
  return { ...finding, total: Math.max(1, finding.total), places: places.slice(0, 50) }
}

export const countByPage = (findings: readonly KnownFinding[]): ReadonlyMap<string, FindingCounts> => {
  const counts = new Map<string, FindingCounts>()
  for (const finding of findings) {
    if (finding.accepted !== null || finding.state === 'gone') continue
    for (const page of new Set(finding.places.flatMap((place) => place.page ?? []))) {
      const ofPage = counts.get(page) ?? { breaks: 0, leaks: 0, notes: 0 }
      ofPage[finding.level] += 1
      counts.set(page, ofPage)
    }
  }
  return counts
}
