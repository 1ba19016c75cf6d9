import type { Sender } from '#ground/identity/identity.ts'
import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Ctx } from '#ground/ctx.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { channels, sites } from '#ground/db/sites.table.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { apiTokens } from '#people/tokens/api-tokens.table.ts'
import { lockSeenSite, mayRemoveSite } from '#releases/sites/site-access.ts'
import { ensureOperatesAll, lockChannels } from './join-sites.ts'

/**
 * Ends the addresses, channels, releases, targets and roles of a site, and frees its label. Its row stays for the exports, which keep their
 * accepted findings; without channels it is no site. `reviveSite` makes it one again, so tokens limited to it lose it.
 */
export const removeSite = async ({ db, now }: Ctx, siteId: string, { identity, actor }: Sender): Promise<void> =>
  db.transaction(async (tx) => {
    await lockChannels(tx, [siteId])
    const site = await lockSeenSite(tx, siteId, identity)
    ensureOperatesAll(identity, [site])
    // Before the tag of the accounts, which changes of tokens and roles lock last.
    const granted = await tx.select().from(siteGrants).where(eq(siteGrants.siteId, site.siteId)).for('update')
    if (!mayRemoveSite(identity, site, granted.length > 0))
      throw new AppError(
        'forbidden',
        'Only admins remove a site that people have roles for, or with a channel that is public or protected, has a hostname, or asks for approvals. Ask an admin.',
      )
    await tx
      .update(apiTokens)
      .set({
        // Not null, which would be every site.
        sites: sql`coalesce((select jsonb_agg(one) from jsonb_array_elements(${apiTokens.sites}) one where one->>'siteId' <> ${site.siteId}), '[]')`,
      })
      .where(sql`${apiTokens.sites} @> ${JSON.stringify([{ siteId: site.siteId }])}::jsonb`)
    await tx.delete(channels).where(eq(channels.siteId, siteId))
    await tx.delete(siteGrants).where(eq(siteGrants.siteId, siteId))
    await bumpRevision(tx, 'static_exports')
    // After the list, because completions lock it before they refer to the site.
    await tx.update(sites).set({ label: siteId, name: null, mainChannelId: null }).where(eq(sites.siteId, siteId))
    await recordAudit(tx, actor, {
      action: 'site.removed',
      at: new Date(now()),
      target: { type: 'site', id: siteId, name: site.label },
      details: { name: site.name, domains: site.feeds.map(({ domain }) => domain).join(', ') },
    })
  })
