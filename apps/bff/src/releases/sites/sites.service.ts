import type { Channel, ChangeSite, Site, SiteArtifacts as ApiArtifacts, SiteList } from '@docket/api-types/sites'
import { and, eq, ne } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { maySeeSite } from '#ground/identity/site-rights.ts'
import type { SiteDescriber } from './describe-site.ts'
import type { SiteArtifacts } from '#bundles/site-artifacts.ts'
import type { Sender } from './ports.ts'
import { findReleases } from './releases.list.ts'
import { noChannel } from './show-bundle.ts'
import { ensureChanges, findSeenSite, noSite, seesArtifacts } from './site-access.ts'
import type { SiteReader } from './site-reader.ts'
import { sites } from '#ground/db/sites.table.ts'

/** Artifacts that a person can choose from. */
const maxArtifacts = 50

/** Reads sites for somebody, and renames them. A site that they may not see does not exist for them. */
export const siteService = (deps: {
  db: Database
  reader: SiteReader
  describer: SiteDescriber
  artifacts: Pick<SiteArtifacts, 'listNewest'>
  now: () => number
}) => {
  const { db, reader, describer, artifacts, now } = deps

  const read = async (siteId: string, sender: Sender): Promise<Site> => {
    const [site] = await describer.describe([await findSeenSite(reader, siteId, sender.identity)], sender)
    return site!
  }

  return {
    read,
    list: async (sender: Sender): Promise<SiteList> => {
      const seen = (await reader.list()).filter((site) => maySeeSite(sender.identity, site))
      return { sites: await describer.describe(seen, sender) }
    },
    /** A channel as `read` shows it. */
    readChannel: async (
      { siteId, channelId }: { siteId: string; channelId: string },
      sender: Sender,
    ): Promise<Channel> => {
      const { channels } = await read(siteId, sender)
      const channel = channels.find((one) => one.channelId === channelId)
      if (channel === undefined) throw noChannel()
      return channel
    },
    /** The site that an export feeds. */
    readByExport: async (exportId: string, sender: Sender): Promise<Site> => {
      const site = await reader.findByExport(exportId)
      if (site === null)
        throw new AppError('not_found', 'This domain has no site yet. Docket makes it with the first stored bundle.')
      if (!maySeeSite(sender.identity, site)) throw noSite()
      return (await describer.describe([site], sender))[0]!
    },
    listArtifacts: async (siteId: string, { identity }: Sender): Promise<ApiArtifacts> => {
      const site = await findSeenSite(reader, siteId, identity)
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
        artifacts: listed.map(({ exportId, sha256, domain, exportedAt, pages, sizeBytes }) => ({
          exportId,
          sha256,
          domain,
          pages,
          sizeBytes,
          exportedAt: exportedAt.toISOString(),
          shownBy: shownBy(sha256),
        })),
      }
    },
    /** Names a site, or gives it another label, with which all its addresses change. `conflict` when another site has the label. */
    change: async (siteId: string, { name, label }: ChangeSite, { identity, actor }: Sender): Promise<void> => {
      const site = await findSeenSite(reader, siteId, identity)
      ensureChanges(identity, site)
      await db.transaction(async (tx) => {
        const [before] = await tx.select().from(sites).where(eq(sites.siteId, siteId)).for('no key update')
        if (before === undefined) throw noSite()
        const set = {
          ...(name !== undefined && name !== (before.name ?? before.domain) && { name }),
          ...(label !== undefined && label !== before.label && { label }),
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
          details: { ...set, ...(set.label !== undefined && { previousLabel: before.label }) },
        })
      })
    },
  }
}

export type SiteService = ReturnType<typeof siteService>
