import type { AuditVerification } from '@docket/api-types/audit'
import { get } from '#lib/api.ts'

/** Verifies the whole audit, step by step. Calls `onStep` with the number of rows found whole so far. Rejects with `ApiError`. */
export const verifyAudit = async (onStep: (rows: number) => void): Promise<AuditVerification> => {
  let rows = 0
  for (let cursor: string | undefined; ;) {
    const step = await get('/api/audit/verify', { query: { cursor } })
    rows += step.rows
    if (step.nextCursor === null) return { ...step, rows }
    onStep(rows)
    cursor = step.nextCursor
  }
}
