import type { PublishCheck } from '@docket/api-types/publish-checks'
import type { ReleaseKind } from '@docket/api-types/sites'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { type Audited, recordAudit } from '#ground/audit/audit.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { ChannelRow } from './site-reader.ts'
import { channels, releases } from '#ground/db/sites.table.ts'

/** Releases of a channel that it can roll back to, the current one included. */
const heldReleases = 5

const actions = { publication: 'release.published', rollback: 'release.rolled_back', rule: 'release.followed' } as const

/** The `not_found` error for a channel that does not exist, or that the current user may not see. */
export const noChannelError = () => new AppError('not_found', 'There is no such channel. Reload the page.')

/** Locks a channel until the transaction ends. Call it before any other lock. */
export const lockChannel = async (tx: Tx, channelId: string): Promise<ChannelRow> => {
  const [row] = await tx.select().from(channels).where(eq(channels.channelId, channelId)).for('update')
  if (row === undefined) throw noChannelError()
  return row
}

const changes: Readonly<Record<string, string>> = {
  'release.published': 'published another bundle to it',
  'release.rolled_back': 'rolled it back',
  'release.followed': 'updated it to a newer bundle',
  'channel.pinned': 'held it',
  'channel.unpinned': 'resumed its updates',
}

/** Throws `conflict` if a channel was changed since the current user saw it. The message names who changed it. */
export const ensureVersion = async (
  tx: Tx,
  { channelId, name, version }: ChannelRow,
  { version: seen }: { version: number },
) => {
  if (version === seen) return
  const [last] = await tx
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.targetType, 'channel'), eq(auditEvents.targetId, channelId)))
    .orderBy(desc(auditEvents.auditId))
    .limit(1)
  const by = last === undefined ? 'Somebody changed it' : `${last.actorName} ${changes[last.action] ?? 'changed it'}`
  throw new AppError(
    'conflict',
    `The channel ${name} has changed since you looked: ${by}. Look at it again, then decide.`,
  )
}

export const auditChannel = (
  tx: Tx,
  by: Actor,
  {
    action,
    at,
    label,
    channel,
    details,
  }: Pick<Audited, 'action' | 'at' | 'details'> & {
    /** The label of the site. */
    label: string
    channel: Pick<ChannelRow, 'channelId' | 'name'>
  },
) => {
  const target = { type: 'channel', id: channel.channelId, name: `${label}/${channel.name}` }
  return recordAudit(tx, by, { action, at, target, details: { site: label, channel: channel.name, ...details } })
}

/** Increments the version of a locked channel. */
export const updateChannel = async (
  tx: Tx,
  { channelId }: Pick<ChannelRow, 'channelId'>,
  set: Partial<ChannelRow>,
): Promise<void> => {
  await tx
    .update(channels)
    .set({ ...set, version: sql`${channels.version} + 1` })
    .where(eq(channels.channelId, channelId))
}

const summarizeChecks = (checks: readonly PublishCheck[]): string => {
  const failed = checks.filter(({ state }) => state === 'failed').map(({ condition }) => condition)
  return failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`
}

type ToShow = {
  kind: ReleaseKind
  bundle: { exportId: string; sha256: string; pages: number }
  by: Actor
  at: Date
  note?: string | null
  checks?: readonly PublishCheck[]
  overrideReason?: string | null
  /** Pins the channel, so that only people move it. */
  pin?: Partial<ChannelRow>
}

/** The transaction locks the channel and holds the bundle. Release, pointer, audit row and events are written together or not at all. */
export const showBundle = async (
  tx: Tx,
  events: Ctx['events'],
  { channel, label }: { channel: ChannelRow; label: string },
  { kind, bundle, by, at, note = null, checks = [], overrideReason = null, pin }: ToShow,
): Promise<void> => {
  const { channelId, siteId } = channel
  const { exportId, sha256, pages } = bundle
  const number = channel.lastNumber + 1
  const [made] = await tx
    .insert(releases)
    .values({
      channelId,
      number,
      kind,
      sha256,
      sum: sha256,
      exportId,
      pages,
      at,
      byKind: by.kind,
      byId: by.id,
      byName: by.name,
      note,
      checks: [...checks],
      overrideReason,
    })
    .returning({ releaseId: releases.releaseId })
  const { releaseId } = made!
  await updateChannel(tx, channel, { ...pin, currentReleaseId: releaseId, lastNumber: number })
  await tx
    .update(releases)
    .set({ isHeld: false })
    .where(
      and(eq(releases.channelId, channelId), eq(releases.isHeld, true), lte(releases.number, number - heldReleases)),
    )
  await auditChannel(tx, by, {
    action: actions[kind],
    at,
    label,
    channel,
    details: {
      release: number,
      sha256,
      ...(kind === 'publication' && { publishChecks: summarizeChecks(checks) }),
      ...(overrideReason !== null && { override: overrideReason }),
      ...(note !== null && { note }),
    },
  })
  await events.emit(tx, 'channel.published', { siteId, channelId, releaseId, sha256 })
  // Lists of exports show which ones are live.
  await bumpRevision(tx, 'static_exports')
}
