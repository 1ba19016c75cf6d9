import type { FindingLevel, FindingState } from '@docket/api-types/artifacts'
import { pickTexts, printQuery } from '#lib/address/query-string.ts'

const names = ['q', 'level', 'rule', 'state', 'accepted', 'page'] as const

export const findingLevels: readonly FindingLevel[] = ['breaks', 'leaks', 'notes']

export const findingStates: readonly FindingState[] = ['new', 'same', 'gone']

/**
 * Filters of the findings, as in the address; `''` means no choice. Accepted findings are hidden by default; `accepted` is `true` for only
 * those, and `any` for all.
 */
export type FindingsSearch = Record<Exclude<(typeof names)[number], 'level' | 'state' | 'accepted'>, string> & {
  level: FindingLevel | ''
  state: FindingState | ''
  accepted: 'true' | 'any' | ''
}

export const parseFindingsSearch = (values: Readonly<Record<string, unknown>>): FindingsSearch => {
  const { level, state, accepted, ...texts } = pickTexts(values, names)
  return {
    ...texts,
    level: findingLevels.find((one) => one === level) ?? '',
    state: findingStates.find((one) => one === state) ?? '',
    accepted: accepted === 'true' || accepted === 'any' ? accepted : '',
  }
}

/** Query for the API. Cuts texts to the lengths that it accepts. */
export const toFindingsQuery = ({ q, level, rule, state, accepted, page }: FindingsSearch) => ({
  q: q.trim().slice(0, 200) || undefined,
  level: level || undefined,
  rule: rule.slice(0, 100) || undefined,
  state: state || undefined,
  accepted: accepted === 'any' ? undefined : accepted || 'false',
  page: page.slice(0, 4000) || undefined,
})

/** True when the filters hide any finding that is shown by default. */
export const hidesFindings = (search: FindingsSearch): boolean =>
  printQuery({ ...search, q: search.q.trim(), accepted: search.accepted === 'true' }) !== ''
