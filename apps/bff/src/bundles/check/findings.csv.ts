import type { CsvColumns } from '#ground/http/csv.ts'
import type { KnownFinding } from './read-findings.ts'

/** One place of a finding. */
export type FindingRow = { finding: KnownFinding; place: KnownFinding['places'][number] | null }

/** Columns of findings in CSV files, a line for each place. */
export const findingColumns: CsvColumns<FindingRow> = {
  level: ({ finding }) => finding.level,
  rule: ({ finding }) => finding.rule,
  finding: ({ finding }) => finding.sentence,
  target: ({ finding }) => finding.target,
  places: ({ finding }) => finding.total,
  state: ({ finding }) => finding.state,
  seen_by: ({ finding }) => finding.seenBy,
  accepted_reason: ({ finding }) => finding.accepted?.reason ?? null,
  accepted_by: ({ finding }) => finding.accepted?.by ?? null,
  accepted_at: ({ finding }) => finding.accepted?.at ?? null,
  page: ({ place }) => place?.page ?? null,
  file: ({ place }) => place?.path ?? null,
  line: ({ place }) => place?.line ?? null,
  excerpt: ({ place }) => place?.excerpt ?? null,
  fingerprint: ({ finding }) => finding.fingerprint,
}

/** Lines of findings, in pieces of one finding. */
export async function* toFindingRows(findings: readonly KnownFinding[]): AsyncGenerator<FindingRow[]> {
  for (const finding of findings) {
    const places = finding.places.length === 0 ? [null] : finding.places
    yield places.map((place) => ({ finding, place }))
  }
}
