import type { HostKey, ReadHostKey, TargetTest, TestTarget } from '@docket/api-types/targets'
import type { output } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { TargetsCtx } from '#releases/releases-ctx.ts'
import { explainFailure, useTarget } from './open-target.ts'
import { checkSettings, describePlace, isSamePlace, secretAgain } from './target-settings.ts'
import { findTarget, readSettings } from './targets.rows.ts'

const testMs = 30_000

/** The secret to test with. The secret of a saved target is sent only to the place that the target already has. */
const findSecret = async ({ db, secrets }: TargetsCtx, { settings, secret, targetId }: output<typeof TestTarget>) => {
  if (secret !== null || targetId === null) return secret
  const row = await findTarget(db, targetId)
  if (row === null) throw new AppError('not_found', 'There is no such target. Reload the page.')
  if (row.sealedSecret === null) return null
  if (!isSamePlace(settings, readSettings(row))) throw new AppError('invalid_request', secretAgain, { field: 'secret' })
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

const attemptTest = async (
  { open, log }: TargetsCtx,
  settings: output<typeof TestTarget>['settings'],
  secret: string | null,
): Promise<TargetTest> => {
  try {
    const warning = await useTarget(
      () => open(settings, secret),
      testMs,
      (target, signal) => target.check(signal),
    )
    const isGit = settings.kind === 'git'
    const message = isGit
      ? 'Docket reached the repository, and may push to it.'
      : 'Docket wrote a file there, read it back and removed it.'
    return { works: true, message: typeof warning === 'string' ? `${message} ${warning}` : message }
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
  const tested = await attemptTest(ctx, asked.settings, secret)
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
