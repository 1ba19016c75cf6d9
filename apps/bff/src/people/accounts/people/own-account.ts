import type { AccountSessionList, ChangeAccount } from '@docket/api-types/accounts'
import { and, desc, eq, ne } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import type { z } from 'zod'
import { sessions, users } from '#people/accounts/accounts.table.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor, PersonIdentity } from '#ground/identity/identity.ts'
import { unwrapDriverError } from '#ground/db/unavailable.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { isAliveSession } from '#people/accounts/sessions.ts'
import type { Ctx } from '#ground/ctx.ts'

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const findFirstMatch = (rules: readonly (readonly [RegExp, string])[], text: string) =>
  rules.find(([pattern]) => pattern.test(text))?.[1]

/** Names browser and system of a session: `Firefox on Windows`. */
export const describeDevice = (userAgent: string | null): string => {
  const text = userAgent ?? ''
  const [browser, system] = [findFirstMatch(browsers, text), findFirstMatch(systems, text)]
  if (browser === undefined && system === undefined) return 'Unknown device'
  return system === undefined ? browser! : `${browser ?? 'A browser'} on ${system}`
}

const isEmailTaken = (error: unknown) => {
  const cause = unwrapDriverError(error)
  return cause instanceof DatabaseError && cause.code === '23505'
}

/** Lists the sessions of a user, most recently used first. `current`: the session of the request. */
export const listSessions = async (
  { db, now }: Ctx,
  userId: string,
  current: string,
): Promise<z.input<typeof AccountSessionList>> => {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isAliveSession(now())))
    .orderBy(desc(sessions.updatedAt))
    .limit(200)
  return {
    items: rows.map((row) => ({
      sessionId: row.id,
      current: row.id === current,
      address: row.ipAddress,
      device: describeDevice(row.userAgent),
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.updatedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    })),
  }
}

/** Throws `conflict` when another account has the address. */
export const changeAccount = async (
  { db, now }: Ctx,
  { name, email, timeZone }: z.output<typeof ChangeAccount>,
  person: PersonIdentity,
  by: Actor,
): Promise<void> => {
  if (timeZone !== undefined) await db.update(users).set({ timeZone }).where(eq(users.id, person.userId))
  const renames = name !== undefined && name !== person.name
  const moves = email !== undefined && email !== person.email
  if (!renames && !moves) return
  const at = new Date(now())
  const change = async () =>
    db.transaction(async (tx) => {
      await tx
        .update(users)
        .set({ updatedAt: at, ...(renames && { name }), ...(moves && { email }) })
        .where(eq(users.id, person.userId))
      await recordAudit(tx, by, {
        action: 'user.renamed',
        at,
        target: { type: 'user', id: person.userId, name: name ?? person.name },
        details: {
          ...(renames && { from: person.name, to: name }),
          ...(moves && { emailFrom: person.email, emailTo: email }),
        },
      })
    })
  await change().catch((error: unknown) => {
    if (!isEmailTaken(error)) throw error
    throw new AppError('conflict', 'Another account has this e-mail address.', { field: 'email' })
  })
}

/** Throws `not_found` when the session has ended. */
export const endSession = ({ db, now }: Ctx, sessionId: string, person: PersonIdentity, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const own = and(eq(sessions.id, sessionId), eq(sessions.userId, person.userId))
    const [ended] = await tx.delete(sessions).where(own).returning()
    if (ended === undefined) throw new AppError('not_found', 'This session has already ended.')
    await recordAudit(tx, by, {
      action: 'session.revoked',
      at: new Date(now()),
      target: { type: 'user', id: person.userId, name: person.name },
      details: { sessions: 1, device: describeDevice(ended.userAgent) },
    })
  })

export const endOtherSessions = ({ db, now }: Ctx, person: PersonIdentity, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const others = and(eq(sessions.userId, person.userId), ne(sessions.id, person.sessionId))
    const ended = await tx.delete(sessions).where(others).returning({ id: sessions.id })
    await recordAudit(tx, by, {
      action: 'session.revoked',
      at: new Date(now()),
      target: { type: 'user', id: person.userId, name: person.name },
      details: { sessions: ended.length },
    })
  })
