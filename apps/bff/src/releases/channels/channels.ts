import { isDeepStrictEqual } from 'node:util'
import type { AddChannel, ChangeChannel } from '@docket/api-types/sites'
import { defaultPublishChecks } from '@docket/api-types/publish-checks'
import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity, Sender } from '#ground/identity/identity.ts'
import { isAdmin, mayOverride } from '#ground/identity/site-rights.ts'
import { checkHeaders } from '#releases/hosting/channel-headers.ts'
import { endProposal, isApproved } from '#releases/publish-checks/open-proposal.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import {
  type ChannelKey,
  ensureMayChangeSite,
  findSeenChannel,
  type FoundChannel,
  lockSeenSite,
} from '#releases/sites/site-access.ts'
import { auditChannel, ensureVersion, lockChannel, updateChannel } from '#releases/sites/show-bundle.ts'
import { type ChannelRow, countApprovals } from '#releases/sites/site-reader.ts'
import { channels } from '#ground/db/sites.table.ts'

const maxChannels = 20

const ownNames: readonly string[] = ['production', 'latest']

type Asked = Omit<ChangeChannel, 'version'>
type Settings = { [Name in keyof Asked]?: NonNullable<Asked[Name]> | (Name extends 'hostname' ? null : never) }

/** Settings that decide who publishes, and under which conditions. */
const guards = ['isProtected', 'publishChecks'] as const

/** Finds a change that only admins may make: to what readers on the web get, or to fewer required approvals. Undefined without one. */
const findAdminChange = (channel: ChannelRow, changed: Settings) =>
  (
    [
      [changed.hostname !== undefined, 'hostname', 'give channels a hostname'],
      [changed.headers !== undefined, 'headers', 'change the headers of a channel'],
      [changed.access === 'public', 'access', 'make a channel public'],
      [
        changed.publishChecks && countApprovals(changed) < countApprovals(channel),
        'publishChecks.approvals',
        'ask for fewer approvals',
      ],
    ] as const
  ).find(([isChanged]) => isChanged)

/** Throws `forbidden` when the current user would gain, through a setting, rights that they do not have. */
const ensureMayChange = (identity: Identity, { site, channel }: FoundChannel, changed: Settings) => {
  const [, field, does] = findAdminChange(channel, changed) ?? []
  if (field !== undefined && !isAdmin(identity))
    throw new AppError('forbidden', `Only admins ${does}. Ask an admin.`, { field })
  const isGuarded = channel.isProtected || guards.some((name) => changed[name] !== undefined)
  if (isGuarded && !mayOverride(identity, site, channel))
    throw new AppError(
      'forbidden',
      channel.isProtected
        ? `The channel ${channel.name} is protected: only admins and operators of this channel change it. Ask an admin.`
        : 'Only admins and operators of this channel change its checks before publishing and its protection. Ask an admin.',
    )
}

const findChanges = (row: ChannelRow, settings: Asked): Settings =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) =>
        value !== undefined &&
        !isDeepStrictEqual(
          value,
          name === 'publishChecks' ? (row.publishChecks ?? defaultPublishChecks) : row[name as keyof ChannelRow],
        ),
    ),
  )

const refuseTakenHostname = async (tx: Tx, channelId: string, hostname: string | null | undefined) => {
  if (hostname === undefined || hostname === null) return
  const [other] = await tx
    .select({ channelId: channels.channelId })
    .from(channels)
    .where(and(eq(channels.hostname, hostname), ne(channels.channelId, channelId)))
  if (other !== undefined)
    throw new AppError('conflict', `Another channel has the hostname ${hostname}. Choose another one.`, {
      field: 'hostname',
    })
}

/** Adds a channel. Throws `conflict` when the site has a channel of this name. */
export const addChannel = async (
  { db, now }: Ctx,
  siteId: string,
  { name }: AddChannel,
  { identity, actor }: Sender,
): Promise<void> => {
  await db.transaction(async (tx) => {
    const site = await lockSeenSite(tx, siteId, identity)
    ensureMayChangeSite(identity, site)
    if (site.channels.length >= maxChannels)
      throw new AppError('conflict', `A site has at most ${maxChannels} channels. Delete one first.`)
    const [added] = await tx.insert(channels).values({ siteId, name }).onConflictDoNothing().returning()
    if (added === undefined)
      throw new AppError('conflict', `This site has a channel ${name} already. Choose another name.`, {
        field: 'name',
      })
    await auditChannel(tx, actor, { action: 'channel.added', at: new Date(now()), label: site.label, channel: added })
  })
}

/** A repeated request changes nothing. */
export const changeChannel = async (
  { db, now, hosts }: ReleasesCtx,
  key: ChannelKey,
  { version, ...asked }: ChangeChannel,
  { identity, actor }: Sender,
): Promise<void> => {
  const { site, channel } = await findSeenChannel(db, key, identity)
  ensureMayChangeSite(identity, site)
  const { hostname, ...rest } = asked
  const isNamed = hostname !== undefined && hostname !== null && hostname !== ''
  const settings: Asked = {
    ...rest,
    ...(hostname !== undefined && { hostname: isNamed ? hosts.checkHostname(hostname) : null }),
  }
  await db.transaction(async (tx) => {
    const locked = await lockChannel(tx, channel.channelId)
    const changed = findChanges(locked, settings)
    ensureMayChange(identity, { site, channel: locked }, changed)
    if (changed.headers !== undefined) checkHeaders(changed.headers)
    if (Object.keys(changed).length === 0) return
    await ensureVersion(tx, locked, { version })
    await refuseTakenHostname(tx, locked.channelId, changed.hostname)
    const at = new Date(now())
    if (changed.access === 'public') {
      if (!(await isApproved(tx, { site, channel: locked }, null)))
        throw new AppError(
          'conflict',
          `Others must approve first that everybody can read this channel (approvals: ${countApprovals(locked)}). Ask for approvals.`,
          { field: 'access' },
        )
      await endProposal(tx, locked.channelId, { outcome: 'published', sha256: null, at })
    }
    await updateChannel(tx, locked, changed)
    const { publishChecks, headers, ...plain } = changed
    await auditChannel(tx, actor, {
      action: 'channel.changed',
      at,
      label: site.label,
      channel: locked,
      details: {
        ...plain,
        ...(publishChecks && { publishChecks: JSON.stringify(publishChecks), approvalsBefore: countApprovals(locked) }),
        ...(headers && { headers: headers.map(({ name }) => name).join(', ') }),
      },
    })
  })
}

/** Deletes a channel that a person added, with its releases, targets and grants. Retention applies to their bundles again. */
export const removeChannel = async ({ db, now }: Ctx, key: ChannelKey, { identity, actor }: Sender): Promise<void> => {
  const { site, channel } = await findSeenChannel(db, key, identity)
  ensureMayChangeSite(identity, site)
  if (ownNames.includes(channel.name))
    throw new AppError('conflict', `Every site has the channel ${channel.name}. Docket does not delete it.`)
  await db.transaction(async (tx) => {
    const locked = await lockChannel(tx, channel.channelId)
    ensureMayChange(identity, { site, channel: locked }, {})
    if (countApprovals(locked) > 0 && !isAdmin(identity))
      throw new AppError('forbidden', 'Only admins delete a channel that asks for approvals. Ask an admin.')
    await tx.delete(channels).where(eq(channels.channelId, channel.channelId))
    await bumpRevision(tx, 'static_exports')
    await auditChannel(tx, actor, { action: 'channel.removed', at: new Date(now()), label: site.label, channel })
  })
}
