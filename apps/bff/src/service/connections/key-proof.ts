import { randomUUID } from 'node:crypto'
import type { KeyCheck } from '@docket/api-types/connections'
import { and, eq, notBetween, sql } from 'drizzle-orm'
import { isBareMissing } from '#service/admin-api/connection.ts'
import { AdminApiError, type UpstreamCode } from '#ground/errors/app-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { callAnswers } from '#service/rate-limit/rate-limit.table.ts'
import type { ConnectionRow } from './connection-rows.ts'
import type { ServiceClient } from './open-client.ts'

/** `field` is the setting to correct. */
export type Verdict = Pick<KeyCheck, 'outcome' | 'message'> & { field: 'key' | 'readKey' | 'baseUrl' }

/** Null stands for a good answer. */
type Answer = AdminApiError | null

const proven: Verdict = { outcome: 'proven', message: 'The service accepts this key.', field: 'key' }

const doubtAddress = (why: string): Verdict => ({
  outcome: 'not_proven',
  message: `Inconclusive: the address may be wrong. ${why}`,
  field: 'baseUrl',
})

const reportUntested = (why: string): Verdict => ({
  outcome: 'not_proven',
  message: `Docket couldn’t test the key. ${why}`,
  field: 'baseUrl',
})

const judgeAnswer = (error: Answer): Verdict => {
  if (isBareMissing(error)) return doubtAddress('Its answer has no error message, and those of an Admin API have one.')
  if (error === null || error.code === 'upstream_not_found') return proven
  if (error.code === 'upstream_key_rejected') {
    const said = error.sentence === null ? '' : ` The service says: “${error.sentence}”.`
    // A key file that can't be read makes no call.
    const message =
      error.about === null
        ? error.message
        : `The service rejected this key. It may be expired, revoked or mistyped.${said}`
    return { outcome: 'rejected', message, field: 'key' }
  }
  if (error.code === 'upstream_forbidden')
    return {
      outcome: 'not_proven',
      message: `The service refused the test (403). The key may lack this right, or an allow list of addresses or the plan may block it. ${error.message}`,
      field: 'key',
    }
  return reportUntested(error.message)
}

const hear = async (ask: () => Promise<unknown>): Promise<Answer> => {
  try {
    await ask()
    return null
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error
    return error
  }
}

/** Requests a random id and judges the key by the answer: a 404 with the service's error message is for a valid key. */
export const judgeCall = async (ask: () => Promise<unknown>): Promise<Verdict> => judgeAnswer(await hear(ask))

/** An answer to an invalid key is used for this time, for all replicas. Milliseconds. */
const invalidKeyMs = 60_000

/** Code of the answer at an address to a key that can't be valid, null for a good answer. Undefined while another call is under way. */
const readAnswerToInvalidKey = async (
  db: Database,
  { address, nowMs }: { address: string; nowMs: number },
  prepare: () => Promise<() => Promise<unknown>>,
): Promise<string | null | undefined> => {
  const key = { connectionId: `invalid key at ${address}`, operation: 'getStaticExport' as const }
  const isRow = and(eq(callAnswers.connectionId, key.connectionId), eq(callAnswers.operation, key.operation))
  const asked = { at: new Date(nowMs), okAt: null, code: null, ms: 0 }
  const isOld = notBetween(callAnswers.at, new Date(nowMs - invalidKeyMs), new Date(nowMs + invalidKeyMs))
  const target = [callAnswers.connectionId, callAnswers.operation]
  const claimed = await db
    .insert(callAnswers)
    .values({ ...key, ...asked })
    .onConflictDoUpdate({ target, set: asked, setWhere: isOld })
    .returning({ at: callAnswers.at })
  if (claimed.length > 0) {
    const error = await hear(await prepare())
    const heard = { code: error?.code ?? null, okAt: error === null ? asked.at : null }
    await db.update(callAnswers).set(heard).where(isRow)
  }
  const [row] = await db.select({ code: callAnswers.code, okAt: callAnswers.okAt }).from(callAnswers).where(isRow)
  return row === undefined || (row.code === null && row.okAt === null) ? undefined : row.code
}

const unclear: readonly UpstreamCode[] = ['upstream_rate_limited', 'upstream_unavailable', 'upstream_timeout']

const judgeDifference = (code: string | null | undefined): Verdict => {
  if (code === undefined) return reportUntested('Another test of this address is running. Try again in a minute.')
  if (code === null || code === 'upstream_not_found')
    return doubtAddress('It answers a key that can’t be valid in the same way.')
  if (unclear.some((one) => one === code))
    return reportUntested('The service didn’t answer a second call, with a key that can’t be valid. Try again later.')
  return proven
}

const findWorstVerdict = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ outcome }) => outcome === 'rejected') ??
  verdicts.find(({ outcome }) => outcome === 'not_proven') ??
  verdicts[0]!

/** Prefers the default project, then that of the latest job. Null without any. */
const findProject = async (tx: Tx, connectionId: string): Promise<string | null> => {
  const { rows } = await tx.execute<{ project_id: string }>(sql`
    (select project_id from projects where connection_id = ${connectionId}::uuid order by is_default desc limit 1)
    union all
    (select project_id from agent_jobs where connection_id = ${connectionId}::uuid order by followed_at desc limit 1) limit 1`)
  return rows[0]?.project_id ?? null
}

/** Makes a call that the budget allows. */
type Spend = (make: () => Promise<unknown>) => Promise<unknown>

/** Requests a random id with each key. For a person, also with an invalid one, once a minute per address: only another answer proves a key. */
export const proveKeys = async (
  {
    db,
    row,
    client,
    nowMs,
  }: { db: Database; row: Pick<ConnectionRow, 'connectionId' | 'baseUrl'>; client: ServiceClient; nowMs: number },
  forPerson: boolean,
  allow: (key: 'main' | 'read' | 'invalid', projectId: string | null) => Promise<Spend> = async () => (make) => make(),
): Promise<Verdict> => {
  const projectId = await findProject(db, row.connectionId)
  const id = randomUUID()
  // A call that the budget refuses rejects here, and is no answer.
  const prepare = async (key: 'main' | 'read' | 'invalid') => {
    const spend = await allow(key, projectId)
    const api = client.withOneKey(key)
    const read = () => (projectId === null ? api.getStaticExport(id) : api.getAgentJob({ projectId, id }))
    return () => spend(read).finally(() => api.close())
  }
  const verdicts: Verdict[] = []
  for (const key of client.hasReadKey ? (['main', 'read'] as const) : (['main'] as const)) {
    const verdict = await judgeCall(await prepare(key))
    verdicts.push(verdict.field === 'key' && key === 'read' ? { ...verdict, field: 'readKey' } : verdict)
  }
  const worst = findWorstVerdict(verdicts)
  if (!forPerson || worst.outcome !== 'proven' || row.baseUrl === null) return worst
  const place = { address: row.baseUrl, nowMs }
  return judgeDifference(await readAnswerToInvalidKey(db, place, () => prepare('invalid')))
}
