import type { AddGrant, Grant, AddSiteGrant, SiteGrant } from '@docket/api-types/grants'
import { and, asc, eq, isNotNull, or, type SQL, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { grants } from '#people/accounts/grants.table.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { connections } from '#ground/db/connections.table.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { requireAdmin, type AdminActs } from './change-people.ts'
import { findGrantSubject, findRemovedSubject, toGrantTarget } from './grant-subject.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { channels, sites } from '#ground/db/sites.table.ts'

type Row = typeof grants.$inferSelect

const toGrant = ({ createdAt, ...row }: Row): Grant => ({ ...row, createdAt: createdAt.toISOString() })

// A person's role over everything is changed through the person, not here.
const isListed = or(isNotNull(grants.connectionId), isNotNull(grants.oidcGroup))

const auditGrant = (
  tx: Tx,
  by: Actor,
  action: 'grant.added' | 'grant.removed',
  { row, name, now }: { row: Row; name: string; now: number },
) =>
  recordAudit(tx, by, {
    action,
    at: new Date(now),
    target: toGrantTarget(row.userId, name),
    details: { role: row.role, connectionId: row.connectionId },
  })

export const listGrants = async ({ db }: Ctx) => {
  const rows = await db.select().from(grants).where(isListed).orderBy(asc(grants.createdAt), asc(grants.grantId))
  return { items: rows.map(toGrant) }
}

/**
 * Throws `forbidden` for oneself and for a group of one's own, `not_found` for an unknown person or connection,
 * `conflict` for an auditor.
 */
export const addGrant = ({ db, now }: Ctx, request: z.output<typeof AddGrant>, acts: AdminActs): Promise<Grant> =>
  db.transaction(async (tx) => {
    await requireAdmin(tx, acts.by)
    const { userId = null, oidcGroup = null, role, connectionId } = request
    const name = await findGrantSubject(tx, request, acts)
    const [known] = await tx
      .select({ id: connections.connectionId })
      .from(connections)
      .where(eq(connections.connectionId, connectionId))
    if (known === undefined) throw new AppError('not_found', 'This connection no longer exists.')
    const which: SQL | undefined = and(
      userId === null ? eq(grants.oidcGroup, oidcGroup ?? '') : eq(grants.userId, userId),
      eq(grants.connectionId, connectionId),
    )
    // A new role on a connection replaces the old one. Admins are locked, so nobody else can add one meanwhile.
    await tx.delete(grants).where(which)
    const value = { userId, oidcGroup, role, connectionId, createdBy: acts.by.name, createdAt: new Date(now()) }
    const [row] = await tx.insert(grants).values(value).returning()
    await auditGrant(tx, acts.by, 'grant.added', { row: row!, name, now: now() })
    return toGrant(row!)
  })

/** Throws `not_found`, and `forbidden` for the caller's own role. */
export const removeGrant = ({ db, now }: Ctx, grantId: string, acts: AdminActs): Promise<void> =>
  db.transaction(async (tx) => {
    await requireAdmin(tx, acts.by)
    const which = and(eq(grants.grantId, grantId), isListed)
    const [row] = await tx.delete(grants).where(which).returning()
    const name = await findRemovedSubject(tx, row, acts)
    await auditGrant(tx, acts.by, 'grant.removed', { row: row!, name, now: now() })
  })

type SiteRow = typeof siteGrants.$inferSelect

const toSiteGrant = ({ createdAt, ...row }: SiteRow): SiteGrant => ({ ...row, createdAt: createdAt.toISOString() })

/** Finds a site that nobody removed, and keeps others from it until the transaction ends. */
const holdsSite = async (tx: Tx, siteId: string) => {
  const held = await tx
    .select({ joinedInto: sites.joinedInto })
    .from(sites)
    .where(eq(sites.siteId, siteId))
    .for('share')
  return held[0]?.joinedInto === null && (await tx.$count(channels, eq(channels.siteId, siteId))) > 0
}

/** Names the site and channel of a role in the audit. A name is null when its site or channel was deleted. */
const describePlace = async (tx: Tx, { siteId, channelId }: Pick<SiteRow, 'siteId' | 'channelId'>) => {
  const [site] = await tx.select({ label: sites.label }).from(sites).where(eq(sites.siteId, siteId))
  const [channel] =
    channelId === null
      ? []
      : await tx
          .select({ name: channels.name })
          .from(channels)
          .where(and(eq(channels.channelId, channelId), eq(channels.siteId, siteId)))
  return { site: site ?? null, channel: channel?.name ?? null }
}

const auditSiteGrant = async (
  tx: Tx,
  by: Actor,
  action: 'site_grant.added' | 'site_grant.removed',
  { row, name, now }: { row: SiteRow; name: string; now: number },
) => {
  const { site, channel } = await describePlace(tx, row)
  await recordAudit(tx, by, {
    action,
    at: new Date(now),
    target: toGrantTarget(row.userId, name),
    details: { role: row.role, site: site?.label ?? row.siteId, ...(row.channelId !== null && { channel }) },
  })
}

/** The oldest first. */
export const listSiteGrants = async ({ db }: Ctx) => {
  const rows = await db.select().from(siteGrants).orderBy(asc(siteGrants.createdAt), asc(siteGrants.grantId))
  return { items: rows.map(toSiteGrant) }
}

/**
 * Throws `forbidden` for oneself and for a group of one's own, `not_found` for an unknown person, site or channel, `conflict` for an
 * auditor.
 */
export const addSiteGrant = (
  { db, now }: Ctx,
  request: z.output<typeof AddSiteGrant>,
  acts: AdminActs,
): Promise<SiteGrant> =>
  db.transaction(async (tx) => {
    await requireAdmin(tx, acts.by)
    const { userId = null, oidcGroup = null, role, siteId, channelId } = request
    const name = await findGrantSubject(tx, request, acts)
    if (!(await holdsSite(tx, siteId))) throw new AppError('not_found', 'This site no longer exists.')
    if (channelId !== null && (await describePlace(tx, { siteId, channelId })).channel === null)
      throw new AppError('not_found', 'This channel of the site no longer exists.')
    // A new role replaces the old one. Admins are locked, so nobody else can add one meanwhile.
    await tx
      .delete(siteGrants)
      .where(
        and(
          userId === null ? eq(siteGrants.oidcGroup, oidcGroup ?? '') : eq(siteGrants.userId, userId),
          eq(siteGrants.siteId, siteId),
          channelId === null ? isNull(siteGrants.channelId) : eq(siteGrants.channelId, channelId),
        ),
      )
    const value = { userId, oidcGroup, role, siteId, channelId, createdBy: acts.by.name }
    const [row] = await tx
      .insert(siteGrants)
      .values({ ...value, createdAt: new Date(now()) })
      .returning()
    await auditSiteGrant(tx, acts.by, 'site_grant.added', { row: row!, name, now: now() })
    return toSiteGrant(row!)
  })

/** Throws `not_found`, and `forbidden` for the caller's own role. */
export const removeSiteGrant = ({ db, now }: Ctx, grantId: string, acts: AdminActs): Promise<void> =>
  db.transaction(async (tx) => {
    await requireAdmin(tx, acts.by)
    const [row] = await tx.delete(siteGrants).where(eq(siteGrants.grantId, grantId)).returning()
    const name = await findRemovedSubject(tx, row, acts)
    await auditSiteGrant(tx, acts.by, 'site_grant.removed', { row: row!, name, now: now() })
  })
