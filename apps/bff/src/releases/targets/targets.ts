import type { Sender } from '#ground/identity/identity.ts'
import {
  type AddTarget,
  type ChangeTarget,
  type DryRun,
  type Target,
  type TargetList,
  maxShownPaths,
} from '@docket/api-types/targets'
import { DeliveryFailed } from '@docket/site-delivery/delivery-target'
import { locateFolder, locateRepository } from '@docket/site-delivery/drivers/folder'
import { and, eq, inArray } from 'drizzle-orm'
import type { output } from 'zod'
import type { AuditAction } from '@docket/api-types/audit'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { isAdmin } from '#ground/identity/site-rights.ts'
import { findForPublishing } from '#releases/publish-checks/may-publish.ts'
import type { TargetsCtx } from '#releases/releases-ctx.ts'
import { getCurrent } from '#releases/sites/releases.list.ts'
import { type ChannelKey, findSeenChannel } from '#releases/sites/site-access.ts'
import { lockChannel } from '#releases/sites/show-bundle.ts'
import type { KnownSite } from '#releases/sites/site-reader.ts'
import { explainFailure, useTarget } from './open-target.ts'
import { readSiteContent } from './site-content.ts'
import { checkSettings, isSamePlace, secretAgain, takesSecret } from './target-settings.ts'
import {
  getTarget,
  lockTarget,
  readSettings,
  selectTargets,
  type TargetKey,
  type TargetRow,
  toAuditPlace,
  toAuditTarget,
  toTarget,
} from './targets.rows.ts'
import { deliveries, targets } from './targets.table.ts'

const maxTargets = 20
const dryRunMs = 60_000

const findForAdmin = async (db: Tx, key: ChannelKey, { identity }: Sender) => {
  const found = await findSeenChannel(db, key, identity)
  if (!isAdmin(identity)) throw new AppError('forbidden', 'Only admins change where sites are delivered. Ask an admin.')
  return found
}

const checkTarget = async ({ machine }: TargetsCtx, settings: Target['settings'], hasSecret: boolean) => {
  checkSettings(settings, hasSecret)
  try {
    if (settings.kind === 'folder') await locateFolder(settings.path, machine.folders)
    if (settings.kind === 'git' && settings.url.startsWith('/')) await locateRepository(settings.url, machine)
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error
    throw refusedFieldError(settings.kind === 'folder' ? 'settings.path' : 'settings.url', error.message)
  }
}

const refuseTakenName = async (
  tx: Tx,
  { channelId, targetId, name }: Pick<TargetRow, 'channelId' | 'name'> & { targetId?: string },
) => {
  const others = (await selectTargets(tx, channelId)).filter((one) => one.targetId !== targetId)
  if (others.some((one) => one.name === name))
    throw new AppError('conflict', `This channel has a target ${name} already. Choose another name.`, {
      field: 'name',
    })
  return others.length
}

const recordTarget = (
  { now }: TargetsCtx,
  tx: Tx,
  { actor }: Sender,
  action: AuditAction,
  {
    row,
    site,
    channel,
    more = {},
  }: { row: TargetRow; site: KnownSite; channel: { name: string }; more?: Record<string, string | boolean> },
) =>
  recordAudit(tx, actor, {
    action,
    at: new Date(now()),
    target: toAuditTarget(row),
    details: { site: site.label, channel: channel.name, ...toAuditPlace(row), ...more },
  })

export const listTargets = async (
  { db, machine }: TargetsCtx,
  key: ChannelKey,
  sender: Sender,
): Promise<TargetList> => {
  const { channel } = await findForPublishing(db, key, sender)
  const rows = await selectTargets(db, channel.channelId)
  const mayChange = isAdmin(sender.identity)
  return {
    targets: await Promise.all(rows.map((row) => toTarget(db, row))),
    mayChange,
    mayDeliver: true,
    folders: mayChange ? [...machine.folders] : [],
  }
}

export const addTarget = async (
  ctx: TargetsCtx,
  key: ChannelKey,
  { name, settings, secret, onRelease }: output<typeof AddTarget>,
  sender: Sender,
) => {
  const found = await findForAdmin(ctx.db, key, sender)
  await checkTarget(ctx, settings, secret !== null)
  const { channelId } = found.channel
  return ctx.db.transaction(async (tx) => {
    await lockChannel(tx, channelId)
    if ((await refuseTakenName(tx, { channelId, name })) >= maxTargets)
      throw new AppError('conflict', `A channel has at most ${maxTargets} targets. Remove one first.`)
    const [row] = await tx
      .insert(targets)
      .values({
        channelId,
        name,
        kind: settings.kind,
        settings,
        sealedSecret: ctx.secrets.seal(secret),
        onRelease,
        createdBy: sender.actor.name,
        createdAt: new Date(ctx.now()),
      })
      .returning()
    await recordTarget(ctx, tx, sender, 'target.added', { ...found, row: row!, more: { onRelease } })
    return toTarget(tx, row!)
  })
}

export const changeTarget = async (
  ctx: TargetsCtx,
  key: TargetKey,
  asked: output<typeof ChangeTarget>,
  sender: Sender,
): Promise<Target> => {
  const found = await findForAdmin(ctx.db, key, sender)
  const before = await getTarget(ctx.db, key)
  const settings = asked.settings ?? readSettings(before)
  if (settings.kind !== before.kind)
    throw refusedFieldError('settings.kind', 'A target keeps its kind. Add another target instead.')
  const staysSealed = asked.secret === undefined && before.sealedSecret !== null && takesSecret(settings)
  if (staysSealed && !isSamePlace(settings, readSettings(before))) throw refusedFieldError('secret', secretAgain)
  await checkTarget(ctx, settings, asked.secret !== undefined || staysSealed)
  return ctx.db.transaction(async (tx) => {
    await lockChannel(tx, found.channel.channelId)
    const locked = await lockTarget(tx, key)
    // A secret belongs to the place that its author saw, which another person may have changed meanwhile.
    if (!isSamePlace(readSettings(before), readSettings(locked)))
      throw new AppError('conflict', 'Somebody else changed this target at the same moment. Reload the page.')
    const set = {
      ...(asked.name !== undefined && { name: asked.name }),
      ...(asked.settings !== undefined && { settings }),
      ...(!staysSealed && { sealedSecret: ctx.secrets.seal(asked.secret ?? null) }),
      ...(asked.onRelease !== undefined && { onRelease: asked.onRelease }),
    }
    await refuseTakenName(tx, { ...locked, ...set })
    const [row] = await tx.update(targets).set(set).where(eq(targets.targetId, key.targetId)).returning()
    const changed = Object.keys(asked).toSorted().join(', ')
    await recordTarget(ctx, tx, sender, 'target.changed', { ...found, row: row!, more: { changed } })
    return toTarget(tx, row!)
  })
}

/** Removes a target with its secret, and ends its deliveries. Delivered files stay at the target. */
export const removeTarget = async (ctx: TargetsCtx, key: TargetKey, sender: Sender): Promise<void> => {
  const found = await findForAdmin(ctx.db, key, sender)
  await ctx.db.transaction(async (tx) => {
    const row = await lockTarget(tx, key)
    const at = new Date(ctx.now())
    await tx.update(targets).set({ removedAt: at, sealedSecret: null }).where(eq(targets.targetId, key.targetId))
    await tx
      .update(deliveries)
      .set({ state: 'failed', problem: 'The target was removed.', endedAt: at, phase: null })
      .where(and(eq(deliveries.targetId, key.targetId), inArray(deliveries.state, ['waiting', 'running'])))
    await recordTarget(ctx, tx, sender, 'target.removed', { ...found, row })
  })
}

/** Compares the files at a target with the current release. */
export const dryRunTarget = async (
  { db, open, openSite, secrets }: TargetsCtx,
  key: TargetKey,
  sender: Sender,
): Promise<DryRun> => {
  const { channel } = await findForPublishing(db, key, sender)
  const row = await getTarget(db, key)
  const { sum } = await getCurrent(db, channel)
  const settings = readSettings(row)
  try {
    const plan = await useTarget(
      () => open(settings, secrets.open(row.sealedSecret)),
      dryRunMs,
      async (target, signal) => target.plan(await readSiteContent(sum, openSite(sum), settings), signal),
    )
    const toPaths = (some: readonly string[]) => ({ count: some.length, shown: some.slice(0, maxShownPaths) })
    return {
      from: plan.from,
      to: sum,
      added: toPaths(plan.added),
      changed: toPaths(plan.changed),
      removed: toPaths(plan.removed),
      bytes: plan.bytes,
    }
  } catch (error) {
    const failure = explainFailure(error)
    if (failure === null) throw error
    throw new AppError('conflict', failure.message, { cause: error })
  }
}
