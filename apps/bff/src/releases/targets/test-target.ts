import type { HostKey, ReadHostKey, TargetTest, TestTarget } from '@docket/api-types/targets'
import { eq } from 'drizzle-orm'
import type { output } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import { channels } from '#ground/db/sites.table.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { TargetsCtx } from '#releases/releases-ctx.ts'
import { findCurrent } from '#releases/sites/releases.list.ts'
import { explainFailure, useTarget } from './open-target.ts'
import { chooseSiteFolder } from './site-content.ts'
import { checkSettings, describePlace, isSamePlace, secretAgain } from './target-settings.ts'
import { findTarget, readSettings } from './targets.rows.ts'

const testMs = 30_000

/** The secret to test with. The secret of a saved target is sent only to the place that the target already has. */
const findSecret = async ({ db, secrets }: TargetsCtx, { settings, secret, targetId }: output<typeof TestTarget>) => {
  if (secret !== null || targetId === null) return secret
  const row = await findTarget(db, targetId)
  if (row === null) throw new AppError('not_found', 'There is no such target. Reload the page.')
  if (row.sealedSecret === null) return null
  if (!isSamePlace(settings, readSettings(row))) throw refusedFieldError('secret', secretAgain)
  return secrets.open(row.sealedSecret)
}

const recordTest = (
  { db, now }: TargetsCtx,
  actor: Actor,
  targetId: string | null,
  details: Record<string, string | number | boolean>,
) =>
  recordAudit(db, actor, {
    action: 'target.tested',
    at: new Date(now()),
    target: { type: 'target', id: targetId },
    details,
  })

/** Sentence about the folder for the site that the channel shows now. Throws `DeliveryFailed` when readers of the target couldn't get it. */
const describeFolder = async ({ db, openSite }: TargetsCtx, asked: output<typeof TestTarget>) => {
  const saved = asked.targetId === null ? null : await findTarget(db, asked.targetId)
  const channelId = asked.channelId ?? saved?.channelId
  if (channelId === undefined) return null
  const [channel] = await db.select().from(channels).where(eq(channels.channelId, channelId))
  const current = channel === undefined ? null : await findCurrent(db, channel)
  if (current === null) return null
  const { mount = '/' } = await openSite(current.sum).manifest()
  const folder = chooseSiteFolder(mount, asked.settings)
  return folder === '' ? null : `The site is built for ${mount}, so its files go to ${folder} there.`
}

const attemptTest = async (
  ctx: TargetsCtx,
  asked: output<typeof TestTarget>,
  secret: string | null,
): Promise<TargetTest> => {
  const { settings } = asked
  const { open, log } = ctx
  try {
    const place = await describeFolder(ctx, asked)
    const warning = await useTarget(
      () => open(settings, secret),
      testMs,
      (target, signal) => target.check(signal),
    )
    const isGit = settings.kind === 'git'
    const message = isGit
      ? 'Docket reached the repository, and may push to it.'
      : 'Docket wrote a file there, read it back and removed it.'
    return { works: true, message: [message, place, warning].filter(Boolean).join(' ') }
  } catch (error) {
    const failure = explainFailure(error)
    if (failure !== null) return { works: false, message: failure.message }
    log.warn({ err: error }, 'a target could not be tested')
    return { works: false, message: 'The test failed in Docket itself. Its log has the reason.' }
  }
}

export const testTarget = async (
  ctx: TargetsCtx,
  asked: output<typeof TestTarget>,
  actor: Actor,
): Promise<TargetTest> => {
  const secret = await findSecret(ctx, asked)
  checkSettings(asked.settings, secret !== null)
  if (secret !== null) ctx.secrets.hide(secret)
  const tested = await attemptTest(ctx, asked, secret)
  const { kind } = asked.settings
  await recordTest(ctx, actor, asked.targetId, { kind, place: describePlace(asked.settings), works: tested.works })
  return tested
}

/** Reads the host key of an SSH server, so that a person can compare its fingerprint. */
export const readServerKey = async (
  ctx: TargetsCtx,
  address: output<typeof ReadHostKey>,
  actor: Actor,
): Promise<HostKey> => {
  const { readFingerprint, readHostKey } = await import('@docket/site-delivery/drivers/ssh-connection')
  await recordTest(ctx, actor, null, { kind: 'host key', place: `${address.host}:${address.port}` })
  try {
    const hostKey = await readHostKey(address)
    return { hostKey, fingerprint: readFingerprint(hostKey) ?? '' }
  } catch (error) {
    const failure = explainFailure(error)
    if (failure === null) throw error
    throw new AppError('conflict', failure.message, { field: 'host' })
  }
}
