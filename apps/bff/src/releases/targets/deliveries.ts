import type { Sender } from '#ground/identity/identity.ts'
import type { Delivery, DeliveryList, RequestDelivery } from '@docket/api-types/targets'
import { and, eq, isNull } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { EventPayloads } from '#ground/events.ts'
import { findForPublishing } from '#releases/publish-checks/may-publish.ts'
import type { TargetsCtx } from '#releases/releases-ctx.ts'
import { getCurrent } from '#releases/sites/releases.list.ts'
import type { ChannelRow } from '#releases/sites/site-reader.ts'
import { releases } from '#ground/db/sites.table.ts'
import { findBefore, insertDelivery, listDelivered, selectDeliveries, toDelivery } from './deliveries.rows.ts'
import { getTarget, lockTarget, type TargetKey, toAuditPlace, toAuditTarget } from './targets.rows.ts'
import { targets } from './targets.table.ts'

const maxListed = 50

/** The bundle that a request is about. */
const chooseBundle = async (
  tx: Tx,
  { targetId }: TargetKey,
  channel: ChannelRow,
  kind: Delivery['kind'],
): Promise<{ releaseId: string | null; sha256: string }> => {
  if (kind === 'delivery') {
    const { releaseId, sum } = await getCurrent(tx, channel)
    return { releaseId, sha256: sum }
  }
  const delivered = await listDelivered(tx, targetId)
  const chosen = kind === 'verification' ? delivered[0] : findBefore(delivered)
  if (chosen !== undefined) return chosen
  throw new AppError(
    'conflict',
    kind === 'verification'
      ? 'Nothing was delivered to this target yet. Deliver first.'
      : 'This target had no other bundle before. Roll the channel back instead.',
  )
}

export const listDeliveries = async (ctx: TargetsCtx, key: TargetKey, sender: Sender): Promise<DeliveryList> => {
  await findForPublishing(ctx.db, key, sender)
  const { targetId } = await getTarget(ctx.db, key)
  return { deliveries: (await selectDeliveries(ctx.db, targetId, maxListed)).map(toDelivery) }
}

export const requestDelivery = async (
  ctx: TargetsCtx,
  key: TargetKey,
  { kind }: RequestDelivery,
  sender: Sender,
): Promise<Delivery> => {
  const { site, channel } = await findForPublishing(ctx.db, key, sender)
  const asked = await ctx.db.transaction(async (tx) => {
    const target = await lockTarget(tx, key)
    const { releaseId, sha256 } = await chooseBundle(tx, key, channel, kind)
    if (!(await ctx.artifacts.hold(tx, sha256)))
      throw new AppError('conflict', 'Docket no longer has this bundle. Save it again, or deliver another release.')
    const [askedBy, askedAt] = [sender.actor.name, new Date(ctx.now())]
    await insertDelivery(tx, { targetId: target.targetId, releaseId, sha256, kind, askedBy, askedAt })
    await recordAudit(tx, sender.actor, {
      action: 'delivery.requested',
      at: askedAt,
      target: toAuditTarget(target),
      details: { site: site.label, channel: channel.name, ...toAuditPlace(target), request: kind, sha256 },
    })
    const [known] = await selectDeliveries(tx, target.targetId, 1)
    return toDelivery(known!)
  })
  ctx.wake()
  return asked
}

/** Requests a delivery to each target of a channel that is set to receive every release. */
export const requestWantedDeliveries = async (
  { wake }: TargetsCtx,
  tx: Tx,
  { channelId, releaseId, sha256 }: EventPayloads['channel.published'],
): Promise<void> => {
  const wanting = await tx
    .select({ targetId: targets.targetId })
    .from(targets)
    .where(and(eq(targets.channelId, channelId), eq(targets.onRelease, true), isNull(targets.removedAt)))
    .orderBy(targets.targetId)
    .for('update')
  if (wanting.length === 0) return
  const [released] = await tx.select().from(releases).where(eq(releases.releaseId, releaseId))
  const { byName: askedBy, at: askedAt } = released!
  for (const { targetId } of wanting)
    await insertDelivery(tx, { targetId, releaseId, sha256, kind: 'delivery', askedBy, askedAt })
  wake()
}
