import { setMaxListeners } from 'node:events'
import type { DeliveryWatch, Verification, DeliveryPhase } from '@docket/site-delivery/delivery-target'
import { and, asc, desc, eq, or, sql, type SQL } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import { docketActor } from '#ground/identity/identity.ts'
import type { TargetsCtx } from '#releases/releases-ctx.ts'
import type { DeliveryRow } from './deliveries.rows.ts'
import { explainFailure } from './open-target.ts'
import { readSiteContent } from './site-content.ts'
import { findTarget, readSettings, type TargetRow, toAuditPlace, toAuditTarget } from './targets.rows.ts'
import { deliveries, targets } from './targets.table.ts'

const everyMs = 1_000
/** Time without contact to the database after which another process may take over. pg-boss considers a process dead after 60 s. */
const lostMs = 45_000

/**
 * Writes the progress of a delivery, at most once a second. `signal` aborts when the delivery no longer belongs to this process, because
 * its target was removed or another process took over. `isOurs` is then false.
 */
const createDeliveryProgress = (db: Database, isOurs: SQL | undefined) => {
  const lost = new AbortController()
  let latest: { phase: DeliveryPhase | null; done: number; total: number | null } = {
    phase: null,
    done: 0,
    total: null,
  }
  let confirmedAt = performance.now()
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const written = await db
      .update(deliveries)
      .set(latest)
      .where(isOurs)
      .returning({ deliveryId: deliveries.deliveryId })
      .catch(() => null)
    if (written !== null && written.length > 0) confirmedAt = performance.now()
    else if (written !== null || performance.now() - confirmedAt > lostMs) lost.abort()
  }
  let isWriting = false
  const timer = setInterval(() => {
    if (isWriting) return
    isWriting = true
    writing = write().finally(() => (isWriting = false))
  }, everyMs)

  return {
    signal: lost.signal,
    report: (phase: DeliveryPhase, done: number, total: number | null) => {
      latest = { phase, done, total }
    },
    /** Waits for a write in progress, and writes no more. */
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await writing
    },
  }
}

/** Pauses after failed attempts that may succeed when retried. Seconds. */
const pauses = [30, 120, 600, 1_800]
const maxAttempts = pauses.length + 1

const isDue = (at: Date) =>
  and(
    eq(deliveries.state, 'waiting'),
    sql`(${deliveries.endedAt} is null or ${deliveries.endedAt}
      + (array[${sql.raw(pauses.join(','))}])[least(${deliveries.attempts}, ${pauses.length})] * interval '1 second' <= ${at})`,
  )

type Delivering = Omit<TargetsCtx, 'wake'>

const noProgress = { phase: null, done: null, total: null }

type Outcome = Pick<DeliveryRow, 'added' | 'changed' | 'removed' | 'problem'>

const actions = {
  delivery: 'delivery.done',
  take_back: 'delivery.taken_back',
  verification: 'delivery.verified',
} as const

/** Names the first files that a verification found to differ. */
const describeDifferences = ({ changed, missing, extra = [] }: Verification): string | null => {
  const list = (what: string, paths: string[]) =>
    paths.length === 0
      ? []
      : [`${what}: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}.`]
  return [...list('Changed', changed), ...list('Missing', missing), ...list('Not delivered', extra)].join(' ') || null
}

/** SQL condition: this attempt is the latest one of its delivery, which is still running. */
const isOurs = ({ deliveryId, attempts }: DeliveryRow) =>
  and(eq(deliveries.deliveryId, deliveryId), eq(deliveries.attempts, attempts), eq(deliveries.state, 'running'))

/** Counts an attempt before it begins, so that a delivery that kills the process is given up, too. Null when there is nothing to do. */
const beginDelivery = ({ db, now }: Delivering, targetId: string) =>
  db.transaction(async (tx) => {
    await tx.select().from(targets).where(eq(targets.targetId, targetId)).for('update')
    const target = await findTarget(tx, targetId)
    if (target === null) return null
    const at = new Date(now())
    const [next] = await tx
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.targetId, targetId), or(eq(deliveries.state, 'running'), isDue(at))))
      .orderBy(desc(eq(deliveries.state, 'running')), asc(deliveries.askedAt))
      .limit(1)
    if (next === undefined) return null
    const [row] = await tx
      .update(deliveries)
      .set({
        state: 'running',
        attempts: next.attempts + 1,
        startedAt: next.startedAt ?? at,
        endedAt: null,
        ...noProgress,
      })
      .where(eq(deliveries.deliveryId, next.deliveryId))
      .returning()
    return { target, row: row! }
  })

const endDelivery = (
  ctx: Delivering,
  { target, row }: { target: TargetRow; row: DeliveryRow },
  state: 'done' | 'failed',
  outcome: Partial<Outcome>,
) =>
  ctx.db.transaction(async (tx) => {
    const at = new Date(ctx.now())
    const ended = await tx
      .update(deliveries)
      .set({ state, endedAt: at, ...noProgress, problem: null, ...outcome })
      .where(isOurs(row))
      .returning({ deliveryId: deliveries.deliveryId })
    if (ended.length === 0) return
    const { added, changed, removed, problem } = outcome
    const counts = { added: added ?? null, changed: changed ?? null, removed: removed ?? null }
    const isWhole = state === 'done' && (problem ?? null) === null
    await recordAudit(tx, docketActor, {
      action: state === 'done' ? actions[row.kind] : 'delivery.failed',
      outcome: isWhole ? 'ok' : 'failed',
      at,
      target: toAuditTarget(target),
      details: {
        ...toAuditPlace(target),
        request: row.kind,
        sha256: row.sha256,
        askedBy: row.askedBy,
        ...(state === 'done' && counts),
        ...(!isWhole && { problem: problem ?? null }),
      },
    })
  })

const attemptDelivery = async (
  { open, openSite, secrets }: Delivering,
  { target, row }: { target: TargetRow; row: DeliveryRow },
  watch: DeliveryWatch,
): Promise<Outcome> => {
  const settings = readSettings(target)
  const site = await readSiteContent(row.sha256, openSite(row.sha256), settings)
  const place = await open(settings, secrets.open(target.sealedSecret))
  try {
    if (row.kind === 'verification') {
      const found = await place.verify(site, watch)
      const { changed, missing, extra = [] } = found
      const counts = { added: extra.length, changed: changed.length, removed: missing.length }
      return { ...counts, problem: describeDifferences(found) }
    }
    const { added, changed, removed } = await place.deliver(site, watch)
    return { added: added.length, changed: changed.length, removed: removed.length, problem: null }
  } finally {
    await place.close().catch(() => {})
  }
}

/** Records why an attempt failed, and whether it will be retried. */
const failDelivery = async (ctx: Delivering, begun: { target: TargetRow; row: DeliveryRow }, error: unknown) => {
  const { row } = begun
  const failure = explainFailure(error)
  if (failure === null) ctx.log.error({ err: error, deliveryId: row.deliveryId }, 'a delivery failed in Docket itself')
  const problem = failure?.message ?? 'The delivery failed in Docket itself. Its log has the reason.'
  if (failure?.isTemporary !== true || row.attempts >= maxAttempts)
    return endDelivery(ctx, begun, 'failed', { problem })
  await ctx.db
    .update(deliveries)
    .set({ state: 'waiting', endedAt: new Date(ctx.now()), problem, ...noProgress })
    .where(isOurs(row))
}

/** False when the delivery no longer belongs to this process. */
const runDelivery = async (
  ctx: Delivering,
  begun: { target: TargetRow; row: DeliveryRow },
  stopping: AbortSignal,
): Promise<boolean> => {
  const { row } = begun
  if (row.attempts > maxAttempts) {
    const problem = `Docket ended ${maxAttempts} times during this delivery. Look into its log, then deliver again.`
    await endDelivery(ctx, begun, 'failed', { problem })
    return true
  }
  let outcome: Outcome
  {
    await using progress = createDeliveryProgress(ctx.db, isOurs(row))
    const signal = AbortSignal.any([stopping, progress.signal])
    // Every file that is being transferred adds a listener.
    setMaxListeners(0, signal)
    try {
      outcome = await attemptDelivery(ctx, begun, { onProgress: progress.report, signal })
    } catch (error) {
      if (progress.signal.aborted) return false
      await progress[Symbol.asyncDispose]()
      if (!stopping.aborted) {
        await failDelivery(ctx, begun, error)
        return true
      }
      // Stopping Docket is not a failure of the delivery. Another process continues it.
      await ctx.db
        .update(deliveries)
        .set({ state: 'waiting', attempts: row.attempts - 1, ...noProgress })
        .where(isOurs(row))
      return false
    }
  }
  await endDelivery(ctx, begun, 'done', outcome)
  return true
}

/** Runs until no delivery to the target is due. */
export const deliverDue = async (ctx: Delivering, targetId: string, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    const begun = await beginDelivery(ctx, targetId)
    if (begun === null) return
    if (!(await runDelivery(ctx, begun, stopping))) return
  }
}

/** Targets with deliveries that are due or in progress. */
export const listWaitingTargets = async ({ db, now }: Delivering, max: number): Promise<string[]> => {
  const rows = await db
    .select({ targetId: deliveries.targetId })
    .from(deliveries)
    .where(or(eq(deliveries.state, 'running'), isDue(new Date(now()))))
    .groupBy(deliveries.targetId)
    .orderBy(sql`min(${deliveries.askedAt})`)
    .limit(max)
  return rows.map(({ targetId }) => targetId)
}
