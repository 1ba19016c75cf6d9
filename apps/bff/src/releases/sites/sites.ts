import type { Sender } from '#ground/identity/identity.ts'
import { defaultPublishChecks } from '@docket/api-types/publish-checks'
import type { Channel, ChangeSite, Site, SiteArtifacts as ApiArtifacts, SiteList } from '@docket/api-types/sites'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { StoredArtifact } from '#bundles/site-artifacts.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import { sites } from '#ground/db/sites.table.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { mayPublish, maySeeChannel, maySeeSite } from '#ground/identity/site-rights.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { isAccepted } from '#releases/hosting/channel-headers.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { findReleases, type KnownRelease, toRelease } from './releases.list.ts'
import {
  type ChannelKey,
  ensureMayChangeSite,
  findSeenSite,
  lockSeenSite,
  mayChangeSite,
  mayRemoveSite,
  noSiteError,
  seesArtifacts,
} from './site-access.ts'
import { noChannelError } from './show-bundle.ts'
import { type ChannelRow, findSiteOfExport, findSites, type KnownSite } from './site-reader.ts'

/** Maximum number of artifacts that a person can choose from. */
const maxArtifacts = 50

const bundleMissing =
  'The bundle of this release is missing from the store, so readers get an error. Save its export again, publish another bundle, or connect the store that has it.'

const toChannel = (
  { hosts }: ReleasesCtx,
  site: KnownSite,
  row: ChannelRow,
  { current, sender }: { current: KnownRelease | undefined; sender: Sender },
): Channel => {
  const { name, access, hostname, headers } = row
  const isMissing = current?.isHeld === true && !current.isThere
  const { address, problem } = hosts.describe(sender.host, { label: site.label, name, hostname, access })
  return {
    ...row,
    oldHeaders: headers.flatMap((header) => (isAccepted(header) ? [] : header.name)),
    current: current === undefined ? null : toRelease(current),
    pinned:
      row.pinnedAt === null ? null : { by: row.pinnedBy ?? '', at: row.pinnedAt.toISOString(), reason: row.pinReason },
    address: current === undefined || isMissing ? null : address,
    addressProblem:
      current === undefined ? (problem ?? 'Publish a bundle first.') : isMissing ? bundleMissing : problem,
    publishChecks: row.publishChecks ?? defaultPublishChecks,
    mayPublish: mayPublish(sender.identity, site, row),
  }
}

const toSite = (
  ctx: ReleasesCtx,
  site: KnownSite,
  sender: Sender,
  known: {
    current: ReadonlyMap<string, KnownRelease>
    newest: StoredArtifact | undefined
    hasGrants: boolean
  },
): Site => {
  const { siteId, name, label, feeds, mainChannelId } = site
  const { identity } = sender
  const newest = seesArtifacts(identity, site) ? known.newest : undefined
  return {
    siteId,
    name,
    label,
    feeds,
    mainChannelId,
    channels: site.channels
      .filter(({ channelId }) => maySeeChannel(identity, site, channelId))
      .map((row) => toChannel(ctx, site, row, { current: known.current.get(row.currentReleaseId ?? ''), sender })),
    newest: newest
      ? { exportId: newest.exportId, sha256: newest.sha256, exportedAt: newest.exportedAt.toISOString() }
      : null,
    mayChange: mayChangeSite(identity, site),
    mayRemove: mayRemoveSite(identity, site, known.hasGrants),
  }
}

export const describeSites = async (ctx: ReleasesCtx, sites: readonly KnownSite[], sender: Sender): Promise<Site[]> => {
  const siteIds = sites.map(({ siteId }) => siteId)
  const [current, newest, granted] = await Promise.all([
    findReleases(
      ctx.db,
      sites.flatMap(({ channels }) => channels.map(({ currentReleaseId }) => currentReleaseId)),
    ),
    ctx.artifacts.findNewest(ctx.db, siteIds),
    ctx.db.selectDistinct({ siteId: siteGrants.siteId }).from(siteGrants).where(inArray(siteGrants.siteId, siteIds)),
  ])
  const withGrants = new Set(granted.map(({ siteId }) => siteId))
  return sites.map((site) => {
    const { siteId } = site
    return toSite(ctx, site, sender, { current, newest: newest.get(siteId), hasGrants: withGrants.has(siteId) })
  })
}

export const readSite = async (ctx: ReleasesCtx, siteId: string, sender: Sender): Promise<Site> => {
  const [site] = await describeSites(ctx, [await findSeenSite(ctx.db, siteId, sender.identity)], sender)
  return site!
}

export const listSites = async (ctx: ReleasesCtx, sender: Sender): Promise<SiteList> => {
  const seen = (await findSites(ctx.db)).filter((site) => maySeeSite(sender.identity, site))
  return { sites: await describeSites(ctx, seen, sender) }
}

export const readChannel = async (
  ctx: ReleasesCtx,
  { siteId, channelId }: ChannelKey,
  sender: Sender,
): Promise<Channel> => {
  const { channels } = await readSite(ctx, siteId, sender)
  const channel = channels.find((one) => one.channelId === channelId)
  if (channel === undefined) throw noChannelError()
  return channel
}

export const readSiteOfExport = async (ctx: ReleasesCtx, exportId: string, sender: Sender): Promise<Site> => {
  const site = await findSiteOfExport(ctx.db, exportId)
  if (site === null)
    throw new AppError('not_found', 'This domain has no site yet. Docket makes it with the first saved bundle.')
  if (!maySeeSite(sender.identity, site)) throw noSiteError()
  return (await describeSites(ctx, [site], sender))[0]!
}

export const listSiteArtifacts = async (
  { db, artifacts }: ReleasesCtx,
  siteId: string,
  { identity }: Sender,
): Promise<ApiArtifacts> => {
  const site = await findSeenSite(db, siteId, identity)
  if (!seesArtifacts(identity, site)) return { artifacts: [] }
  const [listed, current] = await Promise.all([
    artifacts.listNewest(db, siteId, { limit: maxArtifacts }),
    findReleases(
      db,
      site.channels.map(({ currentReleaseId }) => currentReleaseId),
    ),
  ])
  const shownBy = (sha256: string) =>
    site.channels.flatMap(({ name, currentReleaseId }) =>
      current.get(currentReleaseId ?? '')?.sum === sha256 ? [name] : [],
    )
  return {
    artifacts: listed.map((artifact) => ({
      ...artifact,
      exportedAt: artifact.exportedAt.toISOString(),
      shownBy: shownBy(artifact.sha256),
    })),
  }
}

/**
 * Renames a site, gives it another label, which changes all its addresses, or another main channel. Throws `conflict` when another site has
 * the label, or a rule moves the channel.
 */
export const changeSite = async (
  { db, now }: Ctx,
  siteId: string,
  { name, label, mainChannelId }: ChangeSite,
  { identity, actor }: Sender,
): Promise<void> => {
  await db.transaction(async (tx) => {
    const before = await lockSeenSite(tx, siteId, identity)
    ensureMayChangeSite(identity, before)
    const main = before.channels.find(({ channelId }) => channelId === mainChannelId)
    if (mainChannelId !== undefined && main === undefined) throw noChannelError()
    if (main?.followsExports === true)
      throw new AppError('conflict', `The channel ${main.name} moves by itself. Choose another one.`, {
        field: 'mainChannelId',
      })
    const set = {
      ...(name !== undefined && name !== before.name && { name }),
      ...(label !== undefined && label !== before.label && { label }),
      ...(main && main.channelId !== before.mainChannelId && { mainChannelId: main.channelId }),
    }
    if (Object.keys(set).length === 0) return
    if (set.label !== undefined) {
      const [other] = await tx
        .select({ siteId: sites.siteId })
        .from(sites)
        .where(and(eq(sites.label, set.label), ne(sites.siteId, siteId)))
      if (other !== undefined)
        throw new AppError('conflict', `Another site has the label ${set.label}. Choose another one.`, {
          field: 'label',
        })
    }
    await tx.update(sites).set(set).where(eq(sites.siteId, siteId))
    await recordAudit(tx, actor, {
      action: 'site.changed',
      at: new Date(now()),
      target: { type: 'site', id: siteId, name: set.label ?? before.label },
      details: {
        ...(set.name !== undefined && { name: set.name }),
        ...(set.label !== undefined && { label: set.label, previousLabel: before.label }),
        ...(set.mainChannelId !== undefined && { mainChannel: main!.name }),
      },
    })
  })
}
