import type { AuditVerification } from '@docket/api-types/audit'
import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { toMessage } from '#lib/api/api-error.ts'
import { get } from '#lib/api/api.ts'
import { announce } from '#lib/state/announcements.ts'
import { capitalize, formatCount, formatInstant, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { Notice } from '#ui/messages/notice.tsx'

const problems: Readonly<Record<NonNullable<AuditVerification['broken']>['problem'], string>> = {
  changed: 'does not fit: it or its hash was changed, or rows right before it were removed with their hashes.',
  removed: 'is missing.',
  inserted: 'is not part of the chain: it was inserted, or its hash was removed.',
}

const describeRow = ({ auditId, at }: { auditId: number; at: string | null }): string =>
  at === null ? `row ${auditId}` : `row ${auditId} (${formatInstant(at)})`

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

/** Verifies the whole audit, step by step. Calls `onStep` with the number of intact rows so far. Rejects with `ApiError`. */
const verifyAudit = async (onStep: (rows: number) => void): Promise<AuditVerification> => {
  let rows = 0
  for (let cursor: string | undefined; ;) {
    const step = await get('/api/audit/verify', { query: { cursor } })
    rows += step.rows
    if (step.nextCursor === null) return { ...step, rows }
    onStep(rows)
    cursor = step.nextCursor
  }
}

const VerificationResult = ({ verification }: { verification: AuditVerification }) => {
  const { broken, through } = verification
  return (
    <Notice tone={broken === null ? 'done' : 'failed'} title={titleVerification(verification)}>
      {describeVerification(verification).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {broken === null && through !== null && (
        <p className="mt-1 text-xs">
          Head <span className="font-mono">{`${through.auditId}-${through.hash}`}</span>{' '}
          <CopyButton text={`${through.auditId}-${through.hash}`} label="Copy the head" />
        </p>
      )}
    </Notice>
  )
}

export const AuditVerify = () => {
  const [rows, setRows] = useState(0)
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => verifyAudit(setRows),
    onMutate: () => setRows(0),
    onSuccess: (verification) => announce(titleVerification(verification)),
    onError: (failure) => announce(`The audit couldn’t be verified. ${toMessage(failure)}`),
  })
  return (
    <div className="mb-3 space-y-2">
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        <Button icon={ShieldCheck} busy={isPending} onClick={() => mutate()}>
          Verify
        </Button>
        {isPending && (rows === 0 ? 'Verifying…' : `${formatPlural(rows, 'row')} verified so far…`)}
      </p>
      {!isPending && data && <VerificationResult verification={data} />}
      {!isPending && error && (
        <Notice tone="attention" title="The audit couldn’t be verified">
          {toMessage(error)}
        </Notice>
      )}
    </div>
  )
}
