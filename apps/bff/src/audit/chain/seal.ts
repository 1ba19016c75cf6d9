import { and, asc, desc, gt, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '#db/database.ts'
import { toUnsealedEvent } from '#audit/audit-event.ts'
import { auditEvents, auditSeals } from '#audit/audit.table.ts'
import { findFinalId } from './final-rows.ts'
import { firstHash, hashLink } from './link.ts'

/** A sealed row: its id and hash. */
export type Seal = typeof auditSeals.$inferSelect

const pieceRows = 1_000
const waitMs = 10_000

/** Lets only one transaction at a time change the chain, until it ends. Writers of the audit never take this lock. */
export const lockChain = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit chain', 0))`)

const readHead = async (tx: Tx): Promise<Seal | undefined> =>
  (await tx.select().from(auditSeals).orderBy(desc(auditSeals.auditId)).limit(1))[0]

const sealPiece = (db: Database, finalId: number): Promise<Seal[]> =>
  db.transaction(async (tx) => {
    await lockChain(tx)
    const head = await readHead(tx)
    const rows = await tx
      .select()
      .from(auditEvents)
      .where(and(gt(auditEvents.auditId, head?.auditId ?? 0), lte(auditEvents.auditId, finalId)))
      .orderBy(asc(auditEvents.auditId))
      .limit(pieceRows)
    let hash = head?.hash ?? firstHash
    const seals = rows.map((row) => ({ auditId: row.auditId, hash: (hash = hashLink(hash, toUnsealedEvent(row))) }))
    if (seals.length > 0) await tx.insert(auditSeals).values(seals)
    return seals
  })

/**
 * Adds every row that is final to the chain, in the order of ids, a piece at a time. Any number of processes may do so at once.
 * Leaves the rest to the next run when a transaction that has written to the audit stays open for `waitMs`, or once `stopping` says so.
 * Returns the new head, or undefined if the chain did not grow.
 */
export const sealAudit = async (
  db: Database,
  options: { stopping?: () => boolean; waitMs?: number } = {},
): Promise<Seal | undefined> => {
  const finalId = await findFinalId(db, options.waitMs ?? waitMs)
  let head: Seal | undefined
  while (finalId !== null && options.stopping?.() !== true) {
    const seals = await sealPiece(db, finalId)
    head = seals.at(-1) ?? head
    if (seals.length < pieceRows) break
  }
  return head
}
