import { z } from 'zod'
import { roleNames } from '#ground/roles.ts'
import { typedLine } from '#ground/text.ts'

export const Role = z.enum(roleNames)
export type Role = z.infer<typeof Role>

export const isTimeZone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Name of a time zone: `UTC`, `Europe/Berlin`. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'This is not a time zone.')

export const Person = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  /** The user's highest role anywhere; `none` if they have no role. */
  role: Role,
  mayPrompt: z.boolean().nullish(),
  /** Zone in which they see times; null for the zone of their device. */
  timeZone: z.string().nullish(),
  /** They have a role for a site or a channel. Without any other role (`none`), they may use only the pages of sites. */
  hasSites: z.boolean().nullish(),
  /** False for the first admin of a new Docket until they choose a password; meanwhile, a restart prints a sign-in link. */
  hasPassword: z.boolean(),
  /** True when sign-in asks for a code of an authenticator app. */
  hasSecondFactor: z.boolean(),
  passkeys: z.int().nonnegative(),
})
export type Person = z.infer<typeof Person>

/** `GET /api/session`: the current user, and the available sign-in methods. Available to everyone. */
export const Session = z.object({
  /** Null when no user is signed in. */
  person: Person.nullable(),
  /** No account exists yet: the link that the console printed creates the first one. */
  needsSetup: z.boolean(),
  /** True if the first admin may start without a password, because Docket is reachable on this computer only. */
  passwordOptional: z.boolean(),
  /**
   * Docket's own address, such as `http://docket-3f9c1a7be204.localhost:3000`, for a session under 127.0.0.1 or localhost: the page
   * moves there. Null for other sessions, and where Docket has no such address.
   */
  ownAddress: z.url().nullable(),
  methods: z.object({
    password: z.boolean(),
    passkey: z.boolean(),
    /** Name of the single sign-on to show on its button; null without one. */
    oidc: z.string().nullable(),
  }),
  /** What the single sign-on said when it refused this browser within the last minute. Show it as text. */
  oidcSaid: z.string().nullish(),
})
export type Session = z.infer<typeof Session>

/** Handover token: continues a session under Docket's own name, once, within a minute. */
export const Handover = z.object({ handover: z.string().regex(/^\d{1,15}-[\w-]{43}$/) })
export type Handover = z.infer<typeof Handover>

/** A new password: 15 to 256 characters, any of them. The server checks more rules (a blocklist). */
export const NewPassword = z
  .string()
  .min(15, 'Use at least 15 characters. A few unrelated words are easy to remember.')
  .max(256, 'Use at most 256 characters.')
  .refine((text) => text.isWellFormed(), 'This text contains invalid characters.')

/** An e-mail address as the name of an account; nothing is sent to it. */
export const AccountEmail = z.email('This is not an e-mail address.').trim().toLowerCase().max(254)

export const PersonName = typedLine(100, 'Enter a name.')

/** Create the first admin with the one-time link that the console printed. */
export const SetUp = z.object({
  /** The part of the link after `#`. */
  token: z.string().min(1).max(200),
  name: PersonName.optional(),
  email: AccountEmail.optional(),
  /** Needed unless `passwordOptional`. */
  password: NewPassword.optional(),
})
export type SetUp = z.input<typeof SetUp>

/** Checks the link of `SetUp`, without using it up. */
export const CheckSetUp = SetUp.pick({ token: true })
