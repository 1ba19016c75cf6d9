import type { AuditVerification } from '@docket/api-types/audit'
import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { announce } from '#lib/state/announcements.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { get } from '#lib/api/api.ts'
import { formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { describeVerification, titleVerification } from './verification-labels.ts'

/** Verifies the whole audit, step by step. Calls `onStep` with the number of rows found whole so far. Rejects with `ApiError`. */
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

const Result = ({ verification }: { verification: AuditVerification }) => {
  const { broken, through } = verification
  return (
    <Notice tone={broken === null ? 'done' : 'failed'} title={titleVerification(verification)}>
      {describeVerification(verification).map((sentence) => (
        <p key={sentence}>{sentence}</p>
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
        <Button busy={isPending} onClick={() => mutate()}>
          <ShieldCheck className="size-3.5" aria-hidden="true" />
          Verify
        </Button>
        {isPending && (rows === 0 ? 'Verifying…' : `${formatPlural(rows, 'row')} verified so far…`)}
      </p>
      {!isPending && data && <Result verification={data} />}
      {!isPending && error && (
        <Notice tone="attention" title="The audit couldn’t be verified">
          {toMessage(error)}
        </Notice>
      )}
    </div>
  )
}
