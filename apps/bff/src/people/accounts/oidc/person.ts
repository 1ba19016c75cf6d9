import type { AuditAction } from '@docket/api-types/audit'
import { type Role, roleNames } from '@docket/api-types/roles'
import { and, eq, inArray, like } from 'drizzle-orm'
import { oneTimeLinks, passkeys, sessions, signInAccounts, twoFactors, users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { endLinks, isOpenLink } from '#people/accounts/one-time-links.ts'
import { hasAbleAdmin } from '#people/accounts/people/change-people.ts'
import { lockFirstAccount, needsSetup } from '#people/accounts/setup.ts'
import { auditRefusedSignIn } from '#people/accounts/sign-in/complete-sign-in.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { groupsDecide, keepsAdmin, type OidcSettings, type RoleGroups } from '#ground/config/oidc.ts'
import { OidcRefused, type Claims } from './provider.ts'

type User = typeof users.$inferSelect

/** Id of a provider in `sign_in_accounts`. Two providers may use the same subject for different people. */
export const toOidcProviderId = (issuer: URL): string => `oidc:${issuer.href}`

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

export type Coming = { by: Actor; now: number; settings: OidcSettings; claims: Claims }

const withOidc = { with: 'single sign-on' } as const

const record = (
  tx: Tx,
  { id, name }: Pick<User, 'id' | 'name'>,
  { by, now }: Coming,
  action: AuditAction,
  details: Record<string, string | number | boolean | null>,
) => recordAudit(tx, by, { action, at: new Date(now), target: { type: 'user', id, name }, details })

export const findBySubject = async (tx: Tx, providerId: string, subject: string): Promise<User | null> => {
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

/** Uses up the permission of an admin to link an account whose address the provider doesn't verify. Null without one. */
const takePermission = async (tx: Tx, user: User, { now, settings }: Coming) => {
  if (keepsAdmin(user.role, settings.groups)) return null
  const [taken] = await tx
    .update(oneTimeLinks)
    .set({ usedAt: new Date(now) })
    .where(and(eq(oneTimeLinks.kind, 'single_sign_on'), eq(oneTimeLinks.userId, user.id), isOpenLink(now)))
    .returning({ allowedBy: oneTimeLinks.createdBy })
  return taken ?? null
}

/**
 * Links an account to the subject, if its address is verified and no provider knows it yet, or an admin has allowed it. Removes every other
 * way to sign in, because another person may have made the account. Null when the account stays as it is.
 */
const linkAccount = async (tx: Tx, user: User, coming: Coming): Promise<User | null> => {
  const { claims } = coming
  const [linked] = await tx
    .select({ id: signInAccounts.id })
    .from(signInAccounts)
    .where(and(eq(signInAccounts.userId, user.id), like(signInAccounts.providerId, 'oidc:%')))
  const permission = await takePermission(tx, user, coming)
  if (permission === null && (linked !== undefined || !claims.emailVerified)) return null
  const ways = await tx
    .delete(signInAccounts)
    .where(eq(signInAccounts.userId, user.id))
    .returning({ id: signInAccounts.id })
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, user.id)).returning({ id: passkeys.id })
  await tx.delete(twoFactors).where(eq(twoFactors.userId, user.id))
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, user.id))
  const ended = await tx.delete(sessions).where(eq(sessions.userId, user.id)).returning({ id: sessions.id })
  await tx
    .update(users)
    .set({ twoFactorEnabled: false, emailVerified: claims.emailVerified })
    .where(eq(users.id, user.id))
  await storeSubject(tx, user.id, coming)
  await record(tx, user, coming, 'user.linked', { ...permission, verified: claims.emailVerified })
  if (ways.length > 0) await record(tx, user, coming, 'user.password_changed', { removed: true, ...withOidc })
  if (keys.length > 0) await record(tx, user, coming, 'user.passkey_removed', { passkeys: keys.length })
  if (ended.length > 0) await record(tx, user, coming, 'session.revoked', { sessions: ended.length })
  return { ...user, twoFactorEnabled: false }
}

/**
 * Takes a verified address from an account that only this provider signs in: the provider has given it to somebody else. The account keeps
 * everything else, and gets its new address at its next sign-in. False when the account keeps its address.
 */
const releaseAddress = async (tx: Tx, holder: User, coming: Coming): Promise<boolean> => {
  const { settings, claims, now } = coming
  if (!claims.emailVerified || holder.disabledAt !== null) return false
  const ways = await tx
    .select({ providerId: signInAccounts.providerId })
    .from(signInAccounts)
    .where(eq(signInAccounts.userId, holder.id))
  if (ways.length === 0 || ways.some((way) => way.providerId !== toOidcProviderId(settings.issuer))) return false
  const email = `${holder.id}@released.invalid`
  await tx
    .update(users)
    .set({ email, emailVerified: false, updatedAt: new Date(now) })
    .where(eq(users.id, holder.id))
  await record(tx, holder, coming, 'user.renamed', { emailFrom: holder.email, emailTo: email, ...withOidc })
  return true
}

const findNamesake = async (tx: Tx, email: string): Promise<User | undefined> => {
  const [namesake] = await tx.select().from(users).where(eq(users.email, email)).for('update')
  return namesake
}

const toName = (claims: Claims, email: string): string =>
  (claims.name ?? email).trim().slice(0, 100).toWellFormed() || email.slice(0, 100)

/** Name and verified address follow the provider. The address stays while another account keeps the new one. */
const followClaims = async (tx: Tx, user: User, coming: Coming): Promise<User> => {
  const { claims, now } = coming
  const name = claims.name === null ? user.name : toName(claims, user.name)
  let { email } = user
  if (claims.emailVerified && claims.email !== null && claims.email !== email) {
    const holder = await findNamesake(tx, claims.email)
    if (holder === undefined || (await releaseAddress(tx, holder, coming))) email = claims.email
  }
  const [renames, moves] = [name !== user.name, email !== user.email]
  if (!renames && !moves) return user
  const emailVerified = moves || user.emailVerified
  await tx
    .update(users)
    .set({ name, email, emailVerified, updatedAt: new Date(now) })
    .where(eq(users.id, user.id))
  await record(tx, { ...user, name }, coming, 'user.renamed', {
    ...(renames && { from: user.name, to: name }),
    ...(moves && { emailFrom: user.email, emailTo: email }),
    ...withOidc,
  })
  return { ...user, name, email, emailVerified }
}

const createAccount = async (tx: Tx, role: Role, email: string, first: boolean, coming: Coming): Promise<User> => {
  const { claims, now } = coming
  const at = new Date(now)
  const name = toName(claims, email)
  const [user] = await tx
    .insert(users)
    .values({ name, email, emailVerified: claims.emailVerified, role, createdAt: at, updatedAt: at })
    .returning()
  await storeSubject(tx, user!.id, coming)
  if (first) await tx.update(oneTimeLinks).set({ usedAt: at }).where(eq(oneTimeLinks.kind, 'setup'))
  await record(tx, user!, coming, 'user.created', { role, ...withOidc, ...(first && { first }) })
  return user!
}

const followGroups = async (tx: Tx, user: User, role: Role, coming: Coming): Promise<User> => {
  const { now, settings, claims } = coming
  if (user.role === role || (role !== 'none' && !groupsDecide(settings.groups))) return user
  // Without a group for admins, nobody could become an admin again. A person who left all groups with a role does not keep access as an
  // admin.
  if (keepsAdmin(user.role, settings.groups)) {
    if (role === 'none') throw new OidcRefused('no_access', claims.because)
    return user
  }
  const at = new Date(now)
  await tx.update(users).set({ role, updatedAt: at }).where(eq(users.id, user.id))
  // Links made by a former admin must not work.
  await endLinks(tx, eq(oneTimeLinks.createdById, user.id), at)
  await record(tx, user, coming, 'user.changed_role', { from: user.role, to: role, ...withOidc })
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
export const refusePerson = async (tx: Tx, coming: Coming): Promise<void> => {
  const { by, now, settings, claims } = coming
  const user = await findBySubject(tx, toOidcProviderId(settings.issuer), claims.subject)
  const at = new Date(now)
  const account = user === null ? { name: claims.email } : { id: user.id, name: user.name }
  await auditRefusedSignIn(tx, { by, now }, { ...withOidc, reason: 'no_access' }, account)
  if (user === null) return
  await storeGroups(tx, user, coming)
  const ended = await tx.delete(sessions).where(eq(sessions.userId, user.id)).returning({ id: sessions.id })
  await endLinks(tx, eq(oneTimeLinks.createdById, user.id), at)
  await tx.update(users).set({ refusedAt: at }).where(eq(users.id, user.id))
  if (ended.length > 0) await record(tx, user, coming, 'session.revoked', { sessions: ended.length })
}

/**
 * Finds the account of the subject. Waits for concurrent sign-ins, so that one person in two windows gets one account, and only one becomes
 * the first admin.
 */
export const lockBySubject = async (tx: Tx, { settings, claims }: Coming): Promise<User | null> => {
  await lockFirstAccount(tx)
  return findBySubject(tx, toOidcProviderId(settings.issuer), claims.subject)
}

/** Name, verified address, role and groups of somebody with an account follow the provider. Null without an account. */
export const followKnown = async (tx: Tx, role: Role, coming: Coming): Promise<User | null> => {
  const known = await lockBySubject(tx, coming)
  if (known?.disabledAt) throw new OidcRefused('disabled', 'The account is disabled')
  if (known === null) return null
  return storeGroups(tx, await followGroups(tx, await followClaims(tx, known, coming), role, coming), coming)
}

const findOrCreateUser = async (tx: Tx, role: Role, coming: Coming): Promise<User> => {
  const { claims } = coming
  const known = await followKnown(tx, role, coming)
  if (known !== null) return known
  if (claims.email === null) throw new OidcRefused('no_email', 'The provider told no e-mail address')
  const namesake = await findNamesake(tx, claims.email)
  if (namesake?.disabledAt) throw new OidcRefused('disabled', 'The account is disabled')
  if (namesake !== undefined) {
    const linked = await linkAccount(tx, namesake, coming)
    if (linked !== null) {
      const user = await followGroups(tx, await followClaims(tx, linked, coming), role, coming)
      if (namesake.role === 'admin' && !(await hasAbleAdmin(tx)))
        throw new OidcRefused('email_taken', 'The groups of the person would leave no admin')
      return user
    }
    if (!(await releaseAddress(tx, namesake, coming)))
      throw new OidcRefused(
        'email_taken',
        `Another account has the address${claims.emailVerified ? '' : ', which the provider doesn’t verify'}. If it is the same person, an admin can choose "Link at next single sign-on" in Settings › People and tokens`,
      )
  }
  const first = await needsSetup(tx)
  if (first && role !== 'admin') throw new OidcRefused('needs_setup', 'No account exists yet')
  return createAccount(tx, role, claims.email, first, coming)
}

/** Finds the account by subject, else by verified address, else creates it. Throws `OidcRefused`; roll the transaction back then. */
export const findOrCreatePerson = async (tx: Tx, role: Role, coming: Coming): Promise<User> =>
  storeGroups(tx, await findOrCreateUser(tx, role, coming), coming)
