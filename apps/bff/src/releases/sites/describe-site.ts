import { defaultGate } from '@docket/api-types/gates'
import type { Channel, Site } from '@docket/api-types/sites'
import type { Database } from '#ground/db/database.ts'
import { mayPromote, maySeeChannel } from '#ground/identity/site-rights.ts'
import type { SiteArtifacts, StoredArtifact } from '#bundles/site-artifacts.ts'
import type { ChannelAddresses, Sender } from './ports.ts'
import { findReleases, type KnownRelease, toRelease } from './releases.list.ts'
import { mayChangeSite, seesArtifacts } from './site-access.ts'
import type { ChannelRow, KnownSite } from './site-reader.ts'

const bundleMissing =
  'The bundle of this release is missing from the store, so readers get an error. Store its export again, promote another bundle, or connect the store that has it.'

/** Describes sites as somebody may see them: without the channels that do not exist for them. */
export const siteDescriber = (deps: {
  db: Database
  artifacts: Pick<SiteArtifacts, 'findNewest'>
  addresses: Pick<ChannelAddresses, 'describe' | 'isAccepted'>
}) => {
  const { db, artifacts, addresses } = deps

  const toChannel = (
    site: KnownSite,
    row: ChannelRow,
    { current, sender }: { current: KnownRelease | undefined; sender: Sender },
  ): Channel => {
    const { channelId, name, version, followsExports, isProtected, access, hostname, headers, accessLog } = row
    const isMissing = current?.isHeld === true && !current.isThere
    const { address, problem } = addresses.describe(sender.host, { label: site.label, name, hostname, access })
    return {
      channelId,
      name,
      version,
      followsExports,
      isProtected,
      access,
      hostname,
      headers,
      oldHeaders: headers.flatMap((header) => (addresses.isAccepted(header) ? [] : header.name)),
      accessLog,
      current: current === undefined ? null : toRelease(current),
      pinned:
        row.pinnedAt === null
          ? null
          : { by: row.pinnedBy ?? '', at: row.pinnedAt.toISOString(), reason: row.pinReason },
      address: current === undefined || isMissing ? null : address,
      addressProblem:
        current === undefined ? (problem ?? 'Promote a bundle first.') : isMissing ? bundleMissing : problem,
      gate: row.gate ?? defaultGate,
      mayPromote: mayPromote(sender.identity, site, row),
    }
  }

  const toSite = (
    site: KnownSite,
    sender: Sender,
    known: {
      current: ReadonlyMap<string, KnownRelease>
      newest: StoredArtifact | undefined
    },
  ): Site => {
    const { siteId, name, label, feeds } = site
    const { identity } = sender
    const newest = seesArtifacts(identity, site) ? known.newest : undefined
    return {
      siteId,
      name,
      label,
      feeds,
      channels: site.channels
        .filter(({ channelId }) => maySeeChannel(identity, site, channelId))
        .map((row) => toChannel(site, row, { current: known.current.get(row.currentReleaseId ?? ''), sender })),
      newest: newest
        ? { exportId: newest.exportId, sha256: newest.sha256, exportedAt: newest.exportedAt.toISOString() }
        : null,
      mayChange: mayChangeSite(identity, site),
    }
  }

  return {
    describe: async (sites: readonly KnownSite[], sender: Sender): Promise<Site[]> => {
      const [current, newest] = await Promise.all([
        findReleases(
          db,
          sites.flatMap(({ channels }) => channels.map(({ currentReleaseId }) => currentReleaseId)),
        ),
        artifacts.findNewest(
          db,
          sites.map(({ siteId }) => siteId),
        ),
      ])
      return sites.map((site) => toSite(site, sender, { current, newest: newest.get(site.siteId) }))
    },
  }
}

export type SiteDescriber = ReturnType<typeof siteDescriber>
