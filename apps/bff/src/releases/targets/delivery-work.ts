import { setMaxListeners } from 'node:events'
import type { StoredSite } from '@docket/site-bundle/open-site'
import type { DeliveryWatch, Verification } from '@docket/site-delivery/delivery-target'
import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import { docketActor } from '#ground/identity/actor.ts'
import type { Log } from '#ground/log/log.ts'
import type { DeliveryRow } from './deliveries.rows.ts'
import { deliveryProgress } from './delivery-progress.ts'
import { explainFailure, type OpenTarget } from './open-target.ts'
import { readSiteContent } from './site-content.ts'
import type { TargetSecrets } from './target-secrets.ts'
import { findTarget, readSettings, type TargetRow, toAuditPlace, toAuditTarget } from './targets.rows.ts'
import { deliveries, targets } from './targets.table.ts'

/** Pauses after failed attempts that another one may mend. Seconds. */
const pauses = [30, 120, 600, 1_800]
const maxAttempts = pauses.length + 1

const isDue = (at: Date) =>
  and(
    eq(deliveries.state, 'waiting'),
    sql`(${deliveries.endedAt} is null or ${deliveries.endedAt}
      + (array[${sql.raw(pauses.join(','))}])[least(${deliveries.attempts}, ${pauses.length})] * interval '1 second' <= ${at})`,
  )

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

/**
 * Makes the deliveries to one target after the other. `run` goes on with what a process that was killed left, and is called for a target by
 * one process at a time.
 */
export const deliveryWork = (deps: {
  db: Database
  open: OpenTarget
  openSite: (sha256: string) => StoredSite
  secrets: Pick<TargetSecrets, 'open'>
  now: () => number
  log: Log
}) => {
  const { db, open, openSite, secrets, now, log } = deps

  /** True while an attempt is the last one of its delivery, and nobody ended it. */
  const isOurs = ({ deliveryId, attempts }: DeliveryRow) =>
    and(eq(deliveries.deliveryId, deliveryId), eq(deliveries.attempts, attempts), eq(deliveries.state, 'running'))

  /** Counts an attempt before it begins, so that a delivery that kills the process is given up, too. Null: nothing to do. */
  const begin = (targetId: string) =>
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

  /** Ends a delivery, and audits that. */
  const end = (
    { target, row }: { target: TargetRow; row: DeliveryRow },
    state: 'done' | 'failed',
    outcome: Partial<Outcome>,
  ) =>
    db.transaction(async (tx) => {
      const at = new Date(now())
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

  const attempt = async (
    { target, row }: { target: TargetRow; row: DeliveryRow },
    watch: DeliveryWatch,
  ): Promise<Outcome> => {
    const site = await readSiteContent(row.sha256, openSite(row.sha256))
    const place = await open(readSettings(target), secrets.open(target.sealedSecret))
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

  /** Writes why an attempt failed, and whether there will be another one. */
  const fail = async (begun: { target: TargetRow; row: DeliveryRow }, error: unknown) => {
    const { row } = begun
    const failure = explainFailure(error)
    if (failure === null) log.error({ err: error, deliveryId: row.deliveryId }, 'a delivery failed in Docket itself')
    const problem = failure?.message ?? 'The delivery failed in Docket itself. Its log has the reason.'
    if (failure?.isTemporary !== true || row.attempts >= maxAttempts) return end(begun, 'failed', { problem })
    await db
      .update(deliveries)
      .set({ state: 'waiting', endedAt: new Date(now()), problem, ...noProgress })
      .where(isOurs(row))
  }

  /** False when the delivery is no longer that of this process. */
  const runOne = async (begun: { target: TargetRow; row: DeliveryRow }, stopping: AbortSignal): Promise<boolean> => {
    const { row } = begun
    if (row.attempts > maxAttempts) {
      const problem = `Docket ended ${maxAttempts} times during this delivery. Look into its log, then deliver again.`
      await end(begun, 'failed', { problem })
      return true
    }
    let outcome: Outcome
    {
      await using progress = deliveryProgress(db, isOurs(row))
      const signal = AbortSignal.any([stopping, progress.signal])
      // Every file that is on its way listens.
      setMaxListeners(0, signal)
      try {
        outcome = await attempt(begun, { onProgress: progress.report, signal })
      } catch (error) {
        if (progress.signal.aborted) return false
        await progress[Symbol.asyncDispose]()
        if (!stopping.aborted) {
          await fail(begun, error)
          return true
        }
        // A stop is no failure of the delivery. Another process goes on with it.
        await db
          .update(deliveries)
          .set({ state: 'waiting', attempts: row.attempts - 1, ...noProgress })
          .where(isOurs(row))
        return false
      }
    }
    await end(begun, 'done', outcome)
    return true
  }

  return {
    /** Makes the deliveries to a target that are due. */
    run: async (targetId: string, stopping: AbortSignal): Promise<void> => {
      while (!stopping.aborted) {
        const begun = await begin(targetId)
        if (begun === null) return
        if (!(await runOne(begun, stopping))) return
      }
    },
    /** Targets with deliveries that are due or under way. */
    listWaiting: async (max: number): Promise<string[]> => {
      const rows = await db
        .select({ targetId: deliveries.targetId })
        .from(deliveries)
        .where(or(eq(deliveries.state, 'running'), isDue(new Date(now()))))
        .groupBy(deliveries.targetId)
        .orderBy(sql`min(${deliveries.askedAt})`)
        .limit(max)
      return rows.map(({ targetId }) => targetId)
    },
  }
}

const noProgress = { phase: null, done: null, total: null }
