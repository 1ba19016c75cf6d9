import type { Role } from '@docket/api-types/session'
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

const times = {
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
}
const id = uuid('id').primaryKey().defaultRandom()
const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * People. A changed role, disabling or deletion renews the tag of `accounts` by trigger, which empties the session caches of all
 * replicas.
 */
export const users = pgTable('users', {
  id,
  name: text('name').notNull(),
  /** Stored in lower case. */
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  role: text('role').$type<Role>().notNull().default('viewer'),
  /** When the person was disabled; they have no session and cannot sign in. Null for others. */
  disabledAt: instant('disabled_at'),
  /** When the identity provider last refused the person, who has no rights until they sign in again. Null for others. */
  refusedAt: instant('refused_at'),
  /** Applies to operators only; admins may always send prompts. */
  mayPrompt: boolean('may_prompt').notNull().default(true),
  /** Groups at the identity provider, as of the last sign-in. */
  oidcGroups: jsonb('oidc_groups').$type<string[]>().notNull().default([]),
  /** Zone in which the person sees times; null for the zone of their device. */
  timeZone: text('time_zone'),
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  ...times,
})

/** Sessions of people. A deleted row ends the session in every replica at once, by the same trigger. */
export const sessions = pgTable(
  'sessions',
  {
    id,
    /** Hex SHA-256 of the token in the signed cookie. */
    token: text('token').notNull().unique(),
    userId: userId(),
    /** End of the absolute limit. */
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** `sid` of the session at the OIDC provider, empty if it told none; null for other ways to sign in. */
    oidcSid: text('oidc_sid'),
    /** Refresh token of the OIDC provider, with its issuer and subject, encrypted. Null for sessions that are not checked again. */
    sealedRefreshToken: text('sealed_refresh_token'),
    /** When to read the person's groups again. Also claims the session for a process, which then checks it. */
    recheckAt: instant('recheck_at'),
    /** Checks since the last one that got an answer. */
    recheckFailures: integer('recheck_failures').notNull().default(0),
    createdAt: times.createdAt,
    /** Last use, exact to a few minutes; the idle limit counts from here. */
    updatedAt: times.updatedAt,
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
)

/** Password of a user (`credential`), or subject of a user at an OIDC provider (`oidc:<issuer>`). */
export const signInAccounts = pgTable(
  'sign_in_accounts',
  {
    id,
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: userId(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    /** argon2id in PHC form. */
    password: text('password'),
    ...times,
  },
  (t) => [index('sign_in_accounts_user').on(t.userId), index('sign_in_accounts_subject').on(t.providerId, t.accountId)],
)

/** Sign-ins between two requests (single sign-on, passkey challenges, pending second factors), and used codes. */
export const verifications = pgTable(
  'sign_in_verifications',
  {
    id,
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ...times,
  },
  (t) => [
    index('sign_in_verifications_identifier').on(t.identifier),
    index('sign_in_verifications_expiry').on(t.expiresAt),
  ],
)

/** Secrets of authenticator apps and their backup codes, encrypted by `ground/secret/encrypted-text.ts`. */
export const twoFactors = pgTable(
  'two_factors',
  {
    id,
    userId: userId(),
    secret: text('secret').notNull(),
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').notNull().default(true),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: instant('locked_until'),
  },
  (t) => [index('two_factors_user').on(t.userId)],
)

/** Passkeys: the public key in base64, `transports` separated by commas. */
export const passkeys = pgTable(
  'passkeys',
  {
    id,
    name: text('name'),
    publicKey: text('public_key').notNull(),
    userId: userId(),
    credentialID: text('credential_id').notNull().unique(),
    counter: integer('counter').notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    createdAt: instant('created_at').defaultNow(),
    aaguid: text('aaguid'),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/**
 * `setup`: creates the first admin · `sign_in`: signs its user in · `invitation`: creates a user · `password`: lets its user choose one ·
 * `single_sign_on`: lets the next single sign-on with the address of its user link the account; nobody gets its token.
 */
export type LinkKind = 'setup' | 'sign_in' | 'invitation' | 'password' | 'single_sign_on'

/** Links that work once. The database has only the hash of their token. */
export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    id,
    kind: text('kind').$type<LinkKind>().notNull(),
    /** Hex SHA-256. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Null when the link creates a user. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Set for invitations only. */
    email: text('email'),
    role: text('role').$type<Role>(),
    createdBy: text('created_by'),
    /** The admin who made the link. Null when Docket made it. */
    createdById: uuid('created_by_id'),
    createdAt: times.createdAt,
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('one_time_links_kind').on(t.kind, t.createdAt)],
)

/** Remaining sign-in attempts per subject, which refill over time. */
export const attempts = pgTable(
  'sign_in_attempts',
  {
    /** Hex HMAC-SHA-256 of the account, device or network. */
    key: text('key').primaryKey(),
    /** Number of attempts left at the time `at`. */
    left: doublePrecision('left').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [index('sign_in_attempts_age').on(t.at)],
)

/** Settings of this installation, in a single row. */
export const instance = pgTable('instance', {
  id: integer('id').primaryKey(),
  /** Part of the cookie's name, so that two Dockets on one host name do not end each other's sessions. */
  name: text('name').notNull(),
  /** Identifies the secret of this database without revealing it. Null before the first start with a secret. */
  secretCheck: text('secret_check'),
  /** The secret, as earlier versions stored it. Null after it moved to `DATA_DIR` or `AUTH_SECRET` replaced it. */
  movingSecret: text('moving_secret'),
})
