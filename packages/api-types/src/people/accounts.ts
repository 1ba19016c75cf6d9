import { z } from 'zod'
import { optionalLine, typedLine } from '#ground/text.ts'
import { AccountEmail, NewPassword, PersonName, Role, TimeZone } from './session.ts'

/** Sign in with a password. Unknown people and wrong passwords are answered alike (`not_signed_in`). */
export const SignInWithPassword = z.object({
  email: typedLine(254).toLowerCase(),
  password: z.string().min(1).max(1000),
})
export type SignInWithPassword = z.infer<typeof SignInWithPassword>

/** `second_factor`: the password is right; the next request sends a code of the authenticator app or a backup code. */
export const SignInStep = z.object({ next: z.enum(['done', 'second_factor']) })
export type SignInStep = z.infer<typeof SignInStep>

/** The second step of a sign-in: six digits of the app, or a backup code. */
export const SecondFactorCode = z.object({ code: z.string().trim().min(6).max(30) })
export type SecondFactorCode = z.infer<typeof SecondFactorCode>

/** Begin single sign-on; the browser then opens `url`. `returnTo`: relative path in Docket to return to. */
export const StartOidc = z.object({ returnTo: z.string().max(2000).default('/') })
export type StartOidc = z.input<typeof StartOidc>
export const OidcStarted = z.object({ url: z.url() })
export type OidcStarted = z.infer<typeof OidcStarted>

/** Where the browser signs out at the provider, and returns from; null when that is not needed. */
export const SignedOut = z.object({ url: z.url().nullable() })
export type SignedOut = z.infer<typeof SignedOut>

/** Reason why a single sign-on failed, in `/sign-in?error=…`. */
export const OidcRefusal = z.enum([
  /** Cancelled at the provider. */
  'cancelled',
  /** The sign-on took too long, started in another browser, or was already finished. Starting again helps. */
  'expired',
  'provider_unavailable',
  /** The provider refused, or its answer could not be verified. The log has the reason. */
  'provider_refused',
  /** By Docket's clock, the provider's answer is not valid now. */
  'clock',
  /** None of the person's groups has a role in this Docket. */
  'no_access',
  'disabled',
  'no_email',
  /** Another account has the address, and the provider has not verified it. */
  'email_taken',
  /** No account exists yet, and this person is not in the group of admins. */
  'needs_setup',
  /** Docket itself failed. */
  'failed',
])
export type OidcRefusal = z.infer<typeof OidcRefusal>

/** JSON that the browser's WebAuthn calls take and return (`parseRequestOptionsFromJSON`, `toJSON`); the server checks it. */
export const WebAuthnJson = z.record(z.string(), z.unknown())
export type WebAuthnJson = z.infer<typeof WebAuthnJson>

/** A person with an account, as admins see them. */
export const User = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** Role over everything; `Grant` has those on single connections. */
  role: Role,
  /** As an operator, they may send prompts to agents. Admins always may. */
  mayPrompt: z.boolean().nullish(),
  /** ISO 8601, UTC, like the others; null: may sign in. */
  disabledAt: z.iso.datetime().nullable(),
  /** When the identity provider last refused them, because they are in none of its groups; null once they sign in again. */
  refusedAt: z.iso.datetime().nullish(),
  createdAt: z.iso.datetime(),
  /** Last use of any session, accurate to a few minutes; null when no session is left. */
  lastSeenAt: z.iso.datetime().nullable(),
  sessions: z.int().nonnegative(),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  passkeys: z.int().nonnegative(),
  /** Signs in through the single sign-on; then its groups decide the role at every sign-in, where groups are configured. */
  hasOidc: z.boolean(),
  /** Until then, the next single sign-on with their e-mail address links this account; null without an admin's permission. */
  linksUntil: z.iso.datetime().nullish(),
  /** Names of the API tokens that end with the account, unless they are handed over. */
  tokens: z.array(z.string()).nullish(),
})
export type User = z.infer<typeof User>

export const Invitation = z.object({
  invitationId: z.uuid(),
  email: z.string(),
  role: Role,
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Invitation = z.infer<typeof Invitation>

/** All people by name, and all open invitations. */
export const UserList = z.object({ users: z.array(User), invitations: z.array(Invitation) })
export type UserList = z.infer<typeof UserList>

/** Invite a person. Docket sends nothing: the inviter passes the link on. */
export const Invite = z.object({ email: AccountEmail, role: Role })
export type Invite = z.infer<typeof Invite>

/** A one-time link. Only this response contains it. */
export const OneTimeLink = z.object({ url: z.url(), expiresAt: z.iso.datetime() })
export type OneTimeLink = z.infer<typeof OneTimeLink>

/** Change a user (admin). The last admin who can sign in cannot be demoted, disabled or deleted (`conflict`). */
export const ChangeUser = z.object({
  name: PersonName.optional(),
  role: Role.optional(),
  disabled: z.boolean().optional(),
  mayPrompt: z.boolean().optional(),
  /**
   * For a day, the next single sign-on with the person's e-mail address links this account, even if the provider doesn't verify
   * addresses. It then signs in that way only. False withdraws the permission.
   */
  linkAtSignIn: z.boolean().optional(),
})
export type ChangeUser = z.infer<typeof ChangeUser>

export const ChangeAccount = z.object({
  name: PersonName.optional(),
  email: AccountEmail.optional(),
  /** Null for the zone of the device. */
  timeZone: TimeZone.nullable().optional(),
})
export type ChangeAccount = z.infer<typeof ChangeAccount>

/** Choose a password. `currentPassword` is needed when there is one. Ends every other session of the account. */
export const ChangePassword = z.object({ currentPassword: z.string().max(1000).optional(), newPassword: NewPassword })
export type ChangePassword = z.infer<typeof ChangePassword>

export const AccountSession = z.object({
  sessionId: z.uuid(),
  /** True for the session of this request. */
  current: z.boolean(),
  address: z.string().nullable(),
  /** The browser and system in words, from its `User-Agent`. */
  device: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type AccountSession = z.infer<typeof AccountSession>
export const AccountSessionList = z.object({ items: z.array(AccountSession) })
export type AccountSessionList = z.infer<typeof AccountSessionList>

export const Passkey = z.object({
  passkeyId: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** True when the passkey is synced to other devices, such as by a password manager. */
  synced: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

/** Adds a passkey. `response`: JSON from the browser. `name`: chosen by the owner. */
export const AddPasskey = z.object({ name: optionalLine(100).optional(), response: WebAuthnJson })
export type AddPasskey = z.input<typeof AddPasskey>
export const PasskeyList = z.object({ items: z.array(Passkey) })
export type PasskeyList = z.infer<typeof PasskeyList>

/** An authenticator app that is being set up: the secret as `otpauth:` address and as text. Active once a code was confirmed. */
export const SecondFactorSetup = z.object({ uri: z.string(), secret: z.string() })
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>

/** One-time codes in place of the app. Shown only once. */
export const BackupCodes = z.object({ codes: z.array(z.string()) })
export type BackupCodes = z.infer<typeof BackupCodes>

/** Proof before a change of sign-in methods: the password, if the account has one. */
export const ProvePassword = z.object({ password: z.string().max(1000).optional() })
export type ProvePassword = z.infer<typeof ProvePassword>

export const ReadLink = z.object({ token: z.string().min(1).max(200) })
export type ReadLink = z.infer<typeof ReadLink>

/** Purpose of a link: `invitation` creates an account · `password` lets its owner choose a password · `sign_in` signs in at once. */
export const LinkPurpose = z.object({
  kind: z.enum(['invitation', 'password', 'sign_in']),
  email: z.string(),
  name: z.string().nullable(),
  role: Role.nullable(),
  expiresAt: z.iso.datetime(),
})
export type LinkPurpose = z.infer<typeof LinkPurpose>

export const UseLink = z.object({
  token: z.string().min(1).max(200),
  /** Set only with an invitation. */
  name: PersonName.optional(),
  password: NewPassword.optional(),
})
export type UseLink = z.input<typeof UseLink>
