import { onlyReads, roles } from '@docket/api-types/roles'
import { eq } from 'drizzle-orm'
import { users } from '#people/accounts/accounts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { AdminActs } from './change-people.ts'

const notYourselfError = () => new AppError('forbidden', 'You can’t change your own roles. Ask another admin.')

/**
 * Names the person or group that gets a role. Throws `forbidden` for oneself and for a group of one's own, `not_found` for an unknown person,
 * `conflict` for an auditor.
 */
export const findGrantSubject = async (
  tx: Tx,
  { userId, oidcGroup }: { userId?: string | undefined; oidcGroup?: string | undefined },
  { self }: AdminActs,
): Promise<string> => {
  if (userId?.toLowerCase() === self.userId) throw notYourselfError()
  if (oidcGroup !== undefined) {
    const [own] = await tx.select({ groups: users.oidcGroups }).from(users).where(eq(users.id, self.userId))
    if (own?.groups.includes(oidcGroup) === true) throw notYourselfError()
    return oidcGroup
  }
  const [user] = await tx
    .select({ name: users.name, role: users.role })
    .from(users)
    .where(eq(users.id, userId ?? ''))
  if (user === undefined) throw new AppError('not_found', 'This account no longer exists.')
  if (onlyReads(user.role))
    throw new AppError(
      'conflict',
      `${user.name} is ${roles[user.role].article}, who only reads. Give them another role first.`,
    )
  return user.name
}

/** The person or group of a removed role, for the audit. Throws `not_found` without a row, and `forbidden` for the caller's own role. */
export const findRemovedSubject = async (
  tx: Tx,
  row: { userId: string | null; oidcGroup: string | null } | undefined,
  { self }: AdminActs,
): Promise<string> => {
  if (row === undefined) throw new AppError('not_found', 'This role was already removed.')
  if (row.userId === null) return row.oidcGroup ?? ''
  if (row.userId === self.userId) throw notYourselfError()
  const [user] = await tx.select({ name: users.name }).from(users).where(eq(users.id, row.userId))
  return user?.name ?? ''
}

/** Target of an audit row about a role. */
export const toGrantTarget = (userId: string | null, name: string) =>
  userId === null ? { type: 'group' as const, id: null, name } : { type: 'user' as const, id: userId, name }
