import type { AddGrant, Grant } from '@docket/api-types/grants'
import { and, asc, eq, isNotNull, or, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { grants } from '#people/accounts/grants.table.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { connections } from '#ground/db/connections.table.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { requireAdmin } from './able-admins.ts'
import type { AdminActs } from './change-people.ts'
import { findGrantSubject, findRemovedSubject, toGrantTarget } from './grant-subject.ts'

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
