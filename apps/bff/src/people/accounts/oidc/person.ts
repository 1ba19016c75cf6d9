import { type Role, roleNames } from '@docket/api-types/roles'
import { and, eq, inArray, like } from 'drizzle-orm'
import { oneTimeLinks, passkeys, sessions, signInAccounts, twoFactors, users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { endLinks } from '#people/accounts/one-time-links.ts'
import { lockFirstAccount, needsSetup } from '#people/accounts/setup.ts'
import { auditRefusedSignIn } from '#people/accounts/sign-in/complete-sign-in.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { OidcSettings, RoleGroups } from '#ground/config/oidc.ts'
import { OidcRefused, type Claims } from './provider.ts'

type User = typeof users.$inferSelect

/** Id of a provider in `sign_in_accounts`. Two providers may use the same subject for different people. */
const toOidcProviderId = (issuer: URL): string => `oidc:${issuer.href}`

/** True where groups decide the role at every sign-in. Where only viewers have a group, admins of Docket give the other roles. */
const groupsDecide = ({ viewer, ...others }: RoleGroups): boolean =>
  Object.values(others).some((group) => group !== null)

/** Determines the role of a person by their groups. Null when they have no access. */
export const decideRole = ({ groups }: Claims, wanted: RoleGroups): Role | null => {
  const isIn = (group: string | null) => group !== null && groups.includes(group)
  const role = roleNames.findLast((one) => one !== 'none' && isIn(wanted[one]))
  return role ?? (wanted.viewer === '*' ? 'viewer' : null)
}

/** True when a group of the person has a role on a connection. Such a person may sign in without a role over everything. */
export const hasGrant = async (db: Database, { groups }: Claims): Promise<boolean> => {
  const found = db
    .select({ id: grants.grantId })
    .from(grants)
    .where(inArray(grants.oidcGroup, [...groups]))
    .limit(1)
  return groups.length > 0 && (await found).length > 0
}

type Coming = { by: Actor; now: number; settings: OidcSettings; claims: Claims }

const toAuditTarget = ({ id, name }: Pick<User, 'id' | 'name'>) => ({ type: 'user', id, name })

const findBySubject = async (tx: Tx, providerId: string, subject: string): Promise<User | null> => {
  const [row] = await tx
    .select({ user: users })
    .from(signInAccounts)
    .innerJoin(users, eq(users.id, signInAccounts.userId))
    .where(and(eq(signInAccounts.providerId, providerId), eq(signInAccounts.accountId, subject)))
    .for('update', { of: users })
  return row?.user ?? null
}

const storeSubject = (tx: Tx, userId: string, { settings, claims, now }: Coming) =>
  tx.insert(signInAccounts).values({
    userId,
    providerId: toOidcProviderId(settings.issuer),
    accountId: claims.subject,
    createdAt: new Date(now),
    updatedAt: new Date(now),
  })

/** Links an account to a verified e-mail address. Removes every other way to sign in, because another person may have made the account. */
const linkAccount = async (tx: Tx, user: User, coming: Coming): Promise<User> => {
  const { by, claims, now } = coming
  if (!claims.emailVerified) throw new OidcRefused('email_taken', 'The address is not verified')
  const [linked] = await tx
    .select({ id: signInAccounts.id })
    .from(signInAccounts)
    .where(and(eq(signInAccounts.userId, user.id), like(signInAccounts.providerId, 'oidc:%')))
  if (linked !== undefined) throw new OidcRefused('email_taken', 'The account belongs to another subject')
  const ways = await tx
    .delete(signInAccounts)
    .where(eq(signInAccounts.userId, user.id))
    .returning({ id: signInAccounts.id })
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, user.id)).returning({ id: passkeys.id })
  await tx.delete(twoFactors).where(eq(twoFactors.userId, user.id))
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, user.id))
  const ended = await tx.delete(sessions).where(eq(sessions.userId, user.id)).returning({ id: sessions.id })
  await tx.update(users).set({ twoFactorEnabled: false, emailVerified: true }).where(eq(users.id, user.id))
  await storeSubject(tx, user.id, coming)
  const about = { at: new Date(now), target: toAuditTarget(user) }
  const details = { removed: true, with: 'single sign-on' }
  if (ways.length > 0) await recordAudit(tx, by, { action: 'user.password_changed', ...about, details })
  if (keys.length > 0)
    await recordAudit(tx, by, { action: 'user.passkey_removed', ...about, details: { passkeys: keys.length } })
  if (ended.length > 0)
    await recordAudit(tx, by, { action: 'session.revoked', ...about, details: { sessions: ended.length } })
  return { ...user, twoFactorEnabled: false }
}

const createAccount = async (tx: Tx, role: Role, email: string, first: boolean, coming: Coming): Promise<User> => {
  const { by, claims, now } = coming
  const at = new Date(now)
  const name = (claims.name ?? email).trim().slice(0, 100) || email.slice(0, 100)
  const [user] = await tx
    .insert(users)
    .values({ name, email, emailVerified: claims.emailVerified, role, createdAt: at, updatedAt: at })
    .returning()
  await storeSubject(tx, user!.id, coming)
  if (first) await tx.update(oneTimeLinks).set({ usedAt: at }).where(eq(oneTimeLinks.kind, 'setup'))
  await recordAudit(tx, by, {
    action: 'user.created',
    at,
    target: toAuditTarget(user!),
    details: { role, with: 'single sign-on', ...(first && { first }) },
  })
  return user!
}

const followGroups = async (tx: Tx, user: User, role: Role, { by, now, settings }: Coming): Promise<User> => {
  if (user.role === role || (role !== 'none' && !groupsDecide(settings.groups))) return user
  // Without a group for admins, nobody could become an admin again. A person who left all groups with a role does not keep access as an
  // admin.
  if (user.role === 'admin' && settings.groups.admin === null) {
    if (role === 'none') throw new OidcRefused('no_access', 'In none of the groups')
    return user
  }
  const at = new Date(now)
  await tx.update(users).set({ role, updatedAt: at }).where(eq(users.id, user.id))
  // Links made by a former admin must not work.
  await endLinks(tx, eq(oneTimeLinks.createdById, user.id), at)
  await recordAudit(tx, by, {
    action: 'user.changed_role',
    at,
    target: toAuditTarget(user),
    details: { from: user.role, to: role, with: 'single sign-on' },
  })
  return { ...user, role }
}

/** Stores the groups of this sign-in, which determine the grants that apply. */
const storeGroups = async (tx: Tx, user: User, { claims }: Coming): Promise<User> => {
  const oidcGroups = [...new Set(claims.groups)].toSorted()
  const isKept =
    oidcGroups.length === user.oidcGroups.length && oidcGroups.every((one) => user.oidcGroups.includes(one))
  if (isKept) return user
  await tx.update(users).set({ oidcGroups }).where(eq(users.id, user.id))
  return { ...user, oidcGroups }
}

/** Refuses a person who left all groups: ends their sessions, links and rights, and audits it. Keeps their account. */
export const refusePerson = async (tx: Tx, { by, now, settings, claims }: Coming): Promise<void> => {
  const user = await findBySubject(tx, toOidcProviderId(settings.issuer), claims.subject)
  const at = new Date(now)
  const account = user === null ? { name: claims.email } : { id: user.id, name: user.name }
  await auditRefusedSignIn(tx, { by, now }, { with: 'single sign-on', reason: 'no_access' }, account)
  if (user === null) return
  await storeGroups(tx, user, { by, now, settings, claims })
  const ended = await tx.delete(sessions).where(eq(sessions.userId, user.id)).returning({ id: sessions.id })
  await endLinks(tx, eq(oneTimeLinks.createdById, user.id), at)
  await tx.update(users).set({ refusedAt: at }).where(eq(users.id, user.id))
  if (ended.length > 0)
    await recordAudit(tx, by, {
      action: 'session.revoked',
      at,
      target: toAuditTarget(user),
      details: { sessions: ended.length },
    })
}

const findOrCreateUser = async (tx: Tx, role: Role, coming: Coming): Promise<User> => {
  const { settings, claims } = coming
  // Waits for concurrent sign-ins, so that one person in two windows gets one account, and only one becomes the first
  // admin.
  await lockFirstAccount(tx)
  const known = await findBySubject(tx, toOidcProviderId(settings.issuer), claims.subject)
  if (known?.disabledAt) throw new OidcRefused('disabled', 'The account is disabled')
  if (known !== null) return followGroups(tx, known, role, coming)
  if (claims.email === null) throw new OidcRefused('no_email', 'The provider told no e-mail address')
  const [namesake] = await tx.select().from(users).where(eq(users.email, claims.email)).for('update')
  if (namesake?.disabledAt) throw new OidcRefused('disabled', 'The account is disabled')
  if (namesake !== undefined) return followGroups(tx, await linkAccount(tx, namesake, coming), role, coming)
  const first = await needsSetup(tx)
  if (first && role !== 'admin') throw new OidcRefused('needs_setup', 'No account exists yet')
  return createAccount(tx, role, claims.email, first, coming)
}

/** Finds the account by subject, else by verified address, else creates it. Throws `OidcRefused`; roll the transaction back then. */
export const findOrCreatePerson = async (tx: Tx, role: Role, coming: Coming): Promise<User> =>
  storeGroups(tx, await findOrCreateUser(tx, role, coming), coming)
