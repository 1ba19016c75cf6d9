import type { AuditVerification } from '@docket/api-types/audit'
import { formatCount, formatInstant, formatPlural } from '#lib/text/format.ts'

const problems: Readonly<Record<NonNullable<AuditVerification['broken']>['problem'], string>> = {
  changed: 'does not fit: it or its hash was changed, or rows right before it were removed with their hashes.',
  removed: 'is missing.',
  inserted: 'is not part of the chain: it was inserted, or its hash was removed.',
}

const describeRow = ({ auditId, at }: { auditId: number; at: string | null }): string =>
  at === null ? `row ${auditId}` : `row ${auditId} (${formatInstant(at)})`

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const titleVerification = ({ broken, through, unsealed }: AuditVerification): string => {
  if (broken !== null) return `The audit is broken at row ${broken.auditId}`
  return through === null && unsealed !== null && unsealed.rows > 0 ? 'No row is sealed yet' : 'The audit is whole'
}

export const describeVerification = ({ rows, purged, through, broken, unsealed }: AuditVerification): string[] => [
  ...(broken === null ? [] : [`${capitalize(describeRow(broken))} ${problems[broken.problem]}`]),
  ...(through === null || rows === 0
    ? []
    : [`${formatPlural(rows, 'sealed row')} ${rows === 1 ? 'is' : 'are'} whole, up to ${describeRow(through)}.`]),
  ...(purged === null
    ? []
    : [
        `It begins after row ${purged.throughId}: the retention deleted ${formatPlural(purged.rows, 'row')} on ${formatInstant(purged.at)}.`,
      ]),
  ...(unsealed === null || unsealed.oldestAt === null
    ? []
    : [
        `${formatCount(unsealed.rows)} ${unsealed.rows === 1 ? 'row is' : 'rows are'} not sealed yet, the oldest from ${formatInstant(unsealed.oldestAt)}.`,
      ]),
  ...(broken === null
    ? []
    : ['Keep a copy of the database, compare it with an earlier export or backup, and check who can write to it.']),
]
