import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { StartStaticExport } from '@docket/api-types/static-exports'
import type { ExportsCtx, ExportsHere } from '#records/static-exports/exports-ctx.ts'
import { normaliseDomain } from '#ground/domain.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import { presentExport } from './read-exports.ts'
import { AdminApiError, AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { callsAtMostOnce } from '#service/admin-api/at-most-once.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Polling } from '#service/polling/polling.ts'
import type { GrantedCall } from '#service/rate-limit/limiter.ts'
import {
  afterAnswer,
  afterLostAnswer,
  afterRefusal,
  toStaticExport,
  type StaticExportRow,
} from './static-exports.state.ts'
import { listExportEvents } from './static-exports.history.ts'
import { lockOutcome, writeOutcome } from './settle-exports.ts'
import {
  countExportChange,
  findKnownExport,
  isExport,
  isDuplicateJobError,
  lockDomain,
  recordExportEvents,
} from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

/** The domain is normalised. */
type Intent = Omit<StartStaticExport, 'connectionId'>

/** Throws `invalid_request` if the request was for another domain or connection. */
export const findSameRequest = async (
  tx: Tx,
  { requestId, domain }: Pick<Intent, 'requestId' | 'domain'>,
  connectionId: string,
): Promise<StaticExportRow | undefined> => {
  const [row] = await tx.select().from(staticExports).where(eq(staticExports.requestId, requestId))
  if (row !== undefined && (row.domain !== domain || row.connectionId !== connectionId))
    throw new AppError(
      'invalid_request',
      'This request was already sent for another domain or connection. Reload the page.',
      {
        field: 'requestId',
      },
    )
  return row
}

const checkReplacedExport = async (tx: Tx, { replaces, domain }: Intent, connectionId: string): Promise<void> => {
  if (replaces === undefined) return
  const [old] = await tx.select().from(staticExports).where(isExport(replaces)).for('update')
  if (old === undefined || old.removedAt !== null || old.domain !== domain || old.connectionId !== connectionId)
    throw refusedFieldError('replaces', 'The export to start again isn’t on the list.')
  if (old.replacedBy !== null)
    throw new AppError('conflict', 'This export was already started again.', { exportId: old.replacedBy })
  if (old.state !== 'unknown')
    throw new AppError('conflict', 'This export’s outcome is known now. Reload the page.', {
      exportId: old.exportId,
    })
}

const stateLabels = { starting: 'is being started', accepted: 'is running', unknown: 'may be running' } as const

/** An export that the service no longer finds may still run this long after its start. Milliseconds. */
const mayRunMs = 60 * 60_000

const refuseSecondStart = async (
  tx: Tx,
  { domain, replaces }: Intent,
  { connectionId, startedAt: now }: Pick<StaticExportRow, 'connectionId' | 'startedAt'>,
): Promise<void> => {
  const rows = await tx
    .select({ exportId: staticExports.exportId, state: staticExports.state, goneAt: staticExports.goneAt })
    .from(staticExports)
    .where(
      and(
        eq(staticExports.connectionId, connectionId),
        eq(staticExports.domain, domain),
        inArray(staticExports.state, ['starting', 'accepted', 'unknown']),
        isNull(staticExports.removedAt),
        isNull(staticExports.replacedBy),
        or(isNull(staticExports.goneAt), gt(staticExports.startedAt, new Date(now.getTime() - mayRunMs))),
      ),
    )
    .orderBy(desc(staticExports.startedAt))
    .limit(2)
  const other = rows.find(({ exportId }) => exportId !== replaces)
  if (other === undefined) return
  const label =
    other.goneAt === null
      ? stateLabels[other.state as keyof typeof stateLabels]
      : 'that the service no longer finds may be running'
  throw new AppError('conflict', `An export of ${domain} ${label} already. Confirm to start a second one.`, {
    exportId: other.exportId,
  })
}

/**
 * Runs in a transaction that is committed before the call. A lock per domain lets only one of two simultaneous starts pass. `granted` is
 * null when the same request already wrote its intent, because that request makes the call. Writes nothing when `grantCall` refuses.
 */
const writeStartIntent = (
  db: Database,
  intent: Intent & { by: Actor },
  {
    grantCall,
    ...first
  }: Pick<StaticExportRow, 'exportId' | 'connectionId' | 'startedAt'> & {
    leaseOwner: string
    leaseUntil: Date
    grantCall: (tx: Tx) => Promise<GrantedCall>
  },
): Promise<{ row: StaticExportRow; granted: GrantedCall | null }> =>
  db.transaction(async (tx) => {
    const { requestId, domain, version, paths, confirmed, replaces, by } = intent
    await lockDomain(tx, domain)
    const earlier = await findSameRequest(tx, intent, first.connectionId)
    if (earlier !== undefined) return { row: earlier, granted: null }
    await checkReplacedExport(tx, intent, first.connectionId)
    if (confirmed !== true) await refuseSecondStart(tx, intent, first)
    const [row] = await tx
      .insert(staticExports)
      .values({
        ...first,
        requestId,
        domain,
        version: version ?? null,
        paths: paths ?? null,
        state: 'starting',
        // When the lease expires, the watcher ends the start as `unknown`.
        nextCheckAt: first.leaseUntil,
      })
      .onConflictDoNothing({ target: staticExports.requestId })
      .returning()
    // The lock is per domain, so the same request id can arrive for another domain at the same time.
    if (row === undefined) return { row: (await findSameRequest(tx, intent, first.connectionId))!, granted: null }
    if (replaces !== undefined)
      await tx.update(staticExports).set({ replacedBy: row.exportId }).where(isExport(replaces))
    await countExportChange(
      tx,
      inArray(staticExports.exportId, replaces === undefined ? [row.exportId] : [row.exportId, replaces]),
    )
    const at = row.startedAt
    if (replaces !== undefined)
      await recordExportEvents(tx, replaces, [{ kind: 'started_again', at, by, to: row.exportId }])
    await recordExportEvents(tx, row.exportId, [{ kind: 'requested', at, by }])
    // This comes last, because every other call waits for the lock on the budget.
    return { row, granted: await grantCall(tx) }
  })

const refuseRepeatedJob = (outcome: StaticExportRow, now: number): StaticExportRow => ({
  ...outcome,
  state: 'refused',
  reason: `The service started nothing new. It returned job ${outcome.jobId ?? ''}, which is on the list already.`,
  jobId: null,
  finishedAt: new Date(now),
  nextCheckAt: null,
})

export const createExportStarts = (
  deps: Pick<Ctx, 'db' | 'events' | 'log'> & {
    polling: Polling
    wake: () => void
  },
) => {
  const { db, events, log, wake } = deps
  const { now } = deps.polling
  const write = (outcome: StaticExportRow) =>
    db.transaction(async (tx) => {
      await lockOutcome(tx, outcome)
      // Another process may have ended this start as `unknown`. A job that a person attached is kept.
      const [current] = await tx
        .select()
        .from(staticExports)
        .where(and(isExport(outcome.exportId), isNull(staticExports.jobId)))
        .for('update')
      if (current?.state !== 'starting' && current?.state !== 'unknown') return
      const nextCheckAt = current.removedAt === null ? outcome.nextCheckAt : null
      const history = listExportEvents(current, outcome, { now: now(), runningSince: now() })
      const columns = { nextCheckAt, leaseOwner: null, leaseUntil: null }
      await writeOutcome(tx, events, { before: current, after: outcome, history }, columns)
    })
  return callsAtMostOnce<StaticExportRow>({
    what: 'a start',
    write: (outcome) =>
      write(outcome).catch((error: unknown) => {
        if (isDuplicateJobError(error)) return write(refuseRepeatedJob(outcome, now()))
        throw error
      }),
    isOpen: async (exportId) => {
      const [row] = await db.select({ state: staticExports.state }).from(staticExports).where(isExport(exportId))
      return row?.state === 'starting'
    },
    wake,
    log,
  })
}

const callStart = async (
  { log }: ExportsCtx,
  { adminApi, polling: { now, schedule, embedded } }: ExportsHere,
  { row, by, granted }: { row: StaticExportRow; by: Actor; granted: GrantedCall },
): Promise<StaticExportRow> => {
  const { domain, version, paths } = row
  // No person is waiting for an export that a script started.
  const priority = embedded && by.kind === 'token' ? ('low' as const) : undefined
  const request = { domain, version: version ?? undefined, paths: paths ?? undefined, priority }
  try {
    const { jobId, ...snapshot } = await granted.call(() => adminApi.startStaticExport(request))
    // The answer to a start does not prove that reads find the job.
    return { ...afterAnswer(row, snapshot, { now: now(), schedule }), jobId, foundAt: null }
  } catch (error) {
    if (!(error instanceof AdminApiError)) {
      log.error({ err: error, exportId: row.exportId }, 'a start ended in an unforeseen way')
      return afterLostAnswer(row, null, now())
    }
    return error.effect === 'none' ? afterRefusal(row, error, now()) : afterLostAnswer(row, error, now())
  }
}

const answerMs = 15_000

/**
 * Starts an export, at most once per `requestId`: a repeated request makes no call. Waits some time for the answer, and also returns
 * `refused` and `unknown` starts. Throws `forbidden` for a domain outside the scope, `invalid_request`, `too_many_requests`, and `conflict`
 * with the exportId of the other export, before anything is written or called.
 */
export const startExport = async (ctx: ExportsCtx, request: StartStaticExport, by: Actor, scope: TokenScope) => {
  const { db, now, connections } = ctx
  const { domain, notes } = normaliseDomain(request.domain)
  if (!isWithin(scope.domains, domain))
    throw new AppError('forbidden', `This token may not export ${domain}.`, { field: 'domain' })
  const { connectionId: named, ...asked } = request
  const connectionId = await connections.choose(named, scope, { domain })
  const { exports: here } = connections.open(connectionId)
  const { lease, limiter } = here.polling
  // A lease is longer than the client's total time-out, so a call without an answer by its end never gets one.
  const { row, granted } = await writeStartIntent(
    db,
    { ...asked, domain, by },
    {
      exportId: randomUUID(),
      connectionId,
      startedAt: new Date(now()),
      leaseOwner: `${lease.owner}/start`,
      leaseUntil: new Date(now() + lease.leaseMs),
      grantCall: (tx) => limiter.grant(tx, 'startStaticExport'),
    },
  )
  const { exportId } = row
  if (granted !== null) here.starts.launch(exportId, () => callStart(ctx, here, { row, by, granted }))
  await here.starts.answered(exportId, answerMs)
  const read = async () => presentExport(ctx, await findKnownExport(db, exportId))
  const found = await read().catch((error: unknown) => {
    // The intent is committed, so an error would hide a start.
    if (isDatabaseUnavailable(error)) return toStaticExport(row, null)
    throw error
  })
  return { export: found, domainNotes: notes }
}
