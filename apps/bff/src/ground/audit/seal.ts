import { setTimeout as delay } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { and, asc, desc, gt, lte, sql } from 'drizzle-orm'
import { type Database, type Tx, takeTurn } from '#ground/db/database.ts'
import { auditEvents, auditSeals, toUnsealedEvent } from '#ground/audit/audit.table.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import type { Log } from '#ground/log/log.ts'
import { realTimer, type Timer } from '#ground/clock.ts'
import { onAudited } from '#ground/audit/audit.ts'

/** The hash before the first row. */
export const firstHash = '0'.repeat(64)

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

type Unsealed = Readonly<Record<string, unknown>>

/** An event as one line of JSON, keys sorted at every depth, without blanks; equals `jq -cS 'del(.hash)'` of an exported line. */
export const canonicalLine = (event: Unsealed): string => JSON.stringify(event, sortKeys)

/** Hash of a row: hex SHA-256 over the previous hash and the canonical line, each with a line feed. See docs/operating.md. */
export const hashLink = (previousHash: string, event: Unsealed): string =>
  createHash('sha256')
    .update(`${previousHash}\n${canonicalLine(event)}\n`)
    .digest('hex')

const pauseMs = 50

/** Transactions that have written to the audit and are still open. */
const writers = sql`select virtualtransaction as writer from pg_locks
  where relation = 'audit_events'::regclass and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`

const readWriters = async (db: Pick<Database, 'execute'>): Promise<Set<string>> =>
  new Set((await db.execute<{ writer: string }>(writers)).rows.map(({ writer }) => writer))

/**
 * Finds the id up to which no further row can appear; gaps below it are rollbacks. An insert locks the table before it takes its id, so
 * every id up to the last is final once the transactions that hold this lock now have ended. Null if that takes longer than `waitMs`.
 */
export const findFinalId = async (db: Pick<Database, 'execute'>, waitMs: number): Promise<number | null> => {
  const { rows } = await db.execute<{ id: string }>(sql`select last_value as id from audit_events_audit_id_seq`)
  // This is a separate statement: within one statement, the list of locks could be older than the id.
  const open = await readWriters(db)
  const deadline = performance.now() + waitMs
  while (open.size > 0) {
    if (performance.now() > deadline) return null
    await delay(pauseMs)
    const now = await readWriters(db)
    for (const writer of open) if (!now.has(writer)) open.delete(writer)
  }
  return Number(rows[0]!.id)
}

export type Seal = typeof auditSeals.$inferSelect

const pieceRows = 1_000
const waitMs = 10_000

/** Serializes changes of the chain until the transaction ends. Writers of the audit never take this lock. */
export const lockChain = (tx: Tx) => takeTurn(tx, 'audit chain')

const readHead = async (tx: Tx): Promise<Seal | undefined> =>
  (await tx.select().from(auditSeals).orderBy(desc(auditSeals.auditId)).limit(1))[0]

/** Called for each row that this process seals, before that is committed: a crash repeats a row, and skips none. */
export type PrintSealed = (event: Unsealed & Seal) => void

const sealPiece = (db: Database, finalId: number, print?: PrintSealed): Promise<Seal[]> =>
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
    const events = rows.map(toUnsealedEvent).map((event) => ({ ...event, hash: (hash = hashLink(hash, event)) }))
    const seals = events.map(({ auditId, hash }) => ({ auditId, hash }))
    if (seals.length > 0) await tx.insert(auditSeals).values(seals)
    if (print !== undefined) for (const event of events) print(event)
    return seals
  })

/**
 * Seals every final row, in the order of ids and in pieces. Safe in several processes. Leaves the rest to the next run when a writer
 * stays open for `waitMs`, or once `stopping` is true. Returns the new head, or undefined.
 */
export const sealAudit = async (
  db: Database,
  options: { stopping?: () => boolean; waitMs?: number; print?: PrintSealed | undefined } = {},
): Promise<Seal | undefined> => {
  const finalId = await findFinalId(db, options.waitMs ?? waitMs)
  let head: Seal | undefined
  while (finalId !== null && options.stopping?.() !== true) {
    const seals = await sealPiece(db, finalId, options.print)
    head = seals.at(-1) ?? head
    if (seals.length < pieceRows) break
  }
  return head
}

/** Rows written within this time share one run. */
const soonMs = 1_000
const logEveryMs = 60_000

/**
 * Seals the audit through runs that `start` requests. Logs the new head hash at most once a minute, as a copy in case the chain is
 * rewritten.
 */
export const createAuditSealing = (deps: {
  db: Database
  log: Log
  print?: PrintSealed | undefined
  timer?: Timer
}) => {
  const { db, log, print, timer = realTimer } = deps
  let stopping = false
  let unsubscribe = () => {}
  let cancelRequest: (() => void) | undefined
  let unloggedHead: Seal | undefined
  let cancelLog: (() => void) | undefined

  const logHead = () => {
    cancelLog = undefined
    if (unloggedHead === undefined) return
    log.info(unloggedHead, 'the audit is sealed up to this row')
    unloggedHead = undefined
    if (!stopping) cancelLog = timer(logHead, logEveryMs)
  }

  return {
    /** Requests a run now, and soon after each row that this process writes. */
    start: (requestRun: () => Promise<void>): void => {
      const request = () => {
        cancelRequest = undefined
        requestRun().catch((error: unknown) => {
          // The schedule requests the next run.
          log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'the audit could not be sealed now')
        })
      }
      const requestSoon = () => void (cancelRequest ??= timer(request, soonMs))
      unsubscribe = onAudited(requestSoon)
      requestSoon()
    },
    run: async (): Promise<void> => {
      unloggedHead = (await sealAudit(db, { stopping: () => stopping, print })) ?? unloggedHead
      if (cancelLog === undefined) logHead()
    },
    stop: (): void => {
      stopping = true
      unsubscribe()
      cancelRequest?.()
      cancelLog?.()
      logHead()
    },
  }
}
