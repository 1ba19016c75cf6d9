import { onlyReads, roles } from '@docket/api-types/roles'
import { eq } from 'drizzle-orm'
import { users } from '#people/accounts/accounts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { AdminActs } from './change-people.ts'

export const notYourselfError = () => new AppError('forbidden', 'You can’t change your own roles. Ask another admin.')

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
