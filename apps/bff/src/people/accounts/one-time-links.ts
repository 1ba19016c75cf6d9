import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { oneTimeLinks, type LinkKind } from './accounts.table.ts'
import { hashKey } from '#ground/secret/encrypted-text.ts'

/** A new link. `token` belongs behind the `#` of its address; the database has only its hash. */
export type NewLink = { token: string; linkId: string; expiresAt: Date }

export type OneTimeLink = typeof oneTimeLinks.$inferSelect

export const makeLink = async (
  tx: Tx,
  link: Pick<typeof oneTimeLinks.$inferInsert, 'kind' | 'userId' | 'email' | 'role' | 'createdBy' | 'createdById'>,
  { now, lifetimeMs }: { now: number; lifetimeMs: number },
): Promise<NewLink> => {
  const token = randomBytes(24).toString('base64url')
  const expiresAt = new Date(now + lifetimeMs)
  const [row] = await tx
    .insert(oneTimeLinks)
    .values({ ...link, tokenHash: hashKey(token), createdAt: new Date(now), expiresAt })
    .returning({ linkId: oneTimeLinks.id })
  return { token, linkId: row!.linkId, expiresAt }
}

/** Condition for links that are neither used nor expired. */
export const isOpenLink = (now: number) => and(isNull(oneTimeLinks.usedAt), gt(oneTimeLinks.expiresAt, new Date(now)))

const isUsableLink = (token: string, now: number) => and(eq(oneTimeLinks.tokenHash, hashKey(token)), isOpenLink(now))

/** Finds the link of a token. Null when the link is used, expired or unknown. */
export const findLink = async (db: Tx, token: string, now: number): Promise<OneTimeLink | null> => {
  const [link] = await db.select().from(oneTimeLinks).where(isUsableLink(token, now))
  return link ?? null
}

/** Finds and locks the link of a token. Of concurrent attempts, only one gets the link. */
export const lockLink = async (tx: Tx, token: string, kind: LinkKind, now: number): Promise<OneTimeLink | null> => {
  const [link] = await tx
    .select()
    .from(oneTimeLinks)
    .where(and(isUsableLink(token, now), eq(oneTimeLinks.kind, kind)))
    .for('update')
  return link ?? null
}

export const endLinks = (tx: Tx, which: SQL | undefined, at: Date) =>
  tx
    .update(oneTimeLinks)
    .set({ usedAt: at })
    .where(and(which, isNull(oneTimeLinks.usedAt)))

export const useLink = async (tx: Tx, linkId: string, now: number): Promise<void> => {
  await tx
    .update(oneTimeLinks)
    .set({ usedAt: new Date(now) })
    .where(eq(oneTimeLinks.id, linkId))
}
