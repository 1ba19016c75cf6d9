import type { PageChangeKind } from '@docket/api-types/comparisons'
import { pickTexts } from '#lib/address/query-string.ts'

/** Filters of the changes, as in the address; `''` means no choice. `against` names the export to compare with. */
export type ComparisonSearch = { against: string; kind: PageChangeKind | ''; q: string }

export const changeKinds: readonly PageChangeKind[] = ['changed', 'added', 'moved', 'removed']

export const parseComparisonSearch = (values: Readonly<Record<string, unknown>>): ComparisonSearch => {
  const { against, kind, q } = pickTexts(values, ['against', 'kind', 'q'])
  return { against, kind: changeKinds.find((one) => one === kind) ?? '', q }
}

/** Query for the API. Cuts the text to the length that it accepts. */
export const toComparisonQuery = ({ against, kind, q }: ComparisonSearch) => ({
  against: against || undefined,
  kind: kind || undefined,
  q: q.trim().slice(0, 200) || undefined,
})
