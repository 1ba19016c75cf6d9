import { eq } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { channels, sites } from '#ground/db/sites.table.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import type { Sender } from '#releases/sites/sender.ts'
import { findSeenSite } from '#releases/sites/site-access.ts'
import { ensureMayEnd } from './channels.ts'
import { ensureOperatesAll, lockChannels } from './join-sites.ts'

/**
 * Ends the addresses, channels, releases, targets and roles of a site, and frees its label. Its row stays for the exports, which keep their
 * accepted findings; without channels it is no site. `ensureSite` makes it one again.
 */
export const removeSite = async ({ db, now }: Ctx, siteId: string, { identity, actor }: Sender): Promise<void> => {
  const site = await findSeenSite(db, siteId, identity)
  ensureOperatesAll(identity, [site])
  await db.transaction(async (tx) => {
    for (const channel of await lockChannels(tx, [siteId])) ensureMayEnd(identity, { site, channel })
    await tx.delete(channels).where(eq(channels.siteId, siteId))
    await tx.delete(siteGrants).where(eq(siteGrants.siteId, siteId))
    await tx.update(sites).set({ label: siteId, name: null, mainChannelId: null }).where(eq(sites.siteId, siteId))
    await bumpRevision(tx, 'static_exports')
    await recordAudit(tx, actor, {
      action: 'site.removed',
      at: new Date(now()),
      target: { type: 'site', id: siteId, name: site.label },
      details: { name: site.name, domains: site.feeds.map(({ domain }) => domain).join(', ') },
    })
  })
}
