import type { KeyCheck, KeyHealth } from '@docket/api-types/connections'
import { and, desc, eq, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { isBareMissing, type Outcome } from '#service/admin-api/connection.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'
import type { ConnectionRow } from './connection-rows.ts'
import { connectionKeys } from './connection-keys.table.ts'
import { proveKeys, type Verdict } from './key-proof.ts'
import type { ServiceClient } from './open-client.ts'

const dayMs = 86_400_000
const firstWarningDays = 14

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Warns about the expiry of a key or certificate from 14 days before its last day (YYYY-MM-DD, UTC). Null before that, and without such a day. */
export const describeKeyExpiry = (keyExpiresOn: string | null, now: number, what = 'key'): string | null => {
  if (keyExpiresOn === null) return null
  const days = Math.floor(Date.parse(`${keyExpiresOn}T00:00:00Z`) / dayMs) - Math.floor(now / dayMs)
  if (days > firstWarningDays) return null
  if (days < 0) return `The ${what} expired on ${keyExpiresOn}. Replace it and enter its new date.`
  if (days === 0) return `The ${what} expires today. Replace it.`
  return `The ${what} expires in ${formatDays(days)}, on ${keyExpiresOn}. Replace it before then.`
}

/** Minimum interval between two writes of a successful use. Milliseconds. */
const goodNewsMs = 30_000

/** A test claimed by a process that was killed counts as lost after this time. Milliseconds. */
const claimMs = 120_000

const toIso = (date: Date | null) => date?.toISOString() ?? null

export const readKeyHealth = async (
  tx: Tx,
  { connectionId, keyExpiresOn }: Pick<ConnectionRow, 'connectionId' | 'keyExpiresOn'>,
  now: number,
): Promise<KeyHealth> => {
  const { firstUsedAt, lastAcceptedAt, lastRejectedAt, checkedAt } = connectionKeys
  const [row] = await tx
    .select()
    .from(connectionKeys)
    .where(eq(connectionKeys.connectionId, connectionId))
    .orderBy(desc(sql`greatest(${firstUsedAt}, ${lastAcceptedAt}, ${lastRejectedAt}, ${checkedAt})`))
    .limit(1)
  const check = row?.checkOutcome ?? null
  return {
    firstUsedAt: toIso(row?.firstUsedAt ?? null),
    lastAcceptedAt: toIso(row?.lastAcceptedAt ?? null),
    lastRejectedAt: toIso(row?.lastRejectedAt ?? null),
    check:
      check === null ? null : { outcome: check, message: row!.checkMessage ?? '', at: row!.checkedAt!.toISOString() },
    expiresOn: keyExpiresOn,
    warning: describeKeyExpiry(keyExpiresOn, now),
  }
}

/** Stored for all replicas, which then don't test this key. */
export const storeVerdict = async (
  tx: Tx,
  { at, ...key }: { connectionId: string; fingerprint: string; at: Date },
  { outcome, message }: Verdict,
): Promise<KeyCheck> => {
  const seenAt = outcome === 'proven' ? { lastAcceptedAt: at } : outcome === 'rejected' ? { lastRejectedAt: at } : {}
  const checked = { ...seenAt, checkOutcome: outcome, checkMessage: message, checkedAt: at, checkClaimedAt: null }
  await tx
    .insert(connectionKeys)
    .values({ ...key, firstUsedAt: at, ...checked })
    .onConflictDoUpdate({ target: [connectionKeys.connectionId, connectionKeys.fingerprint], set: checked })
  return { outcome, message, at: at.toISOString() }
}

/** Watches the keys of one connection: notices a new key, tests it once for all replicas, and records whether the service accepts it. */
export const watchKeyHealth = (deps: {
  db: Database
  row: ConnectionRow
  client: ServiceClient
  limiters: Record<WatchedClass, Pick<CallLimiter, 'grant'>>
  /** Ends the pauses caused by an earlier key. */
  onNewKey: () => Promise<void>
  /** Reads records again that an earlier key could not read. */
  onProven: () => Promise<void>
  now: () => number
  log: Log
}) => {
  const { db, row, client, limiters, onNewKey, onProven, now, log } = deps
  const { connectionId } = row
  const seen: { acceptedMs: number | null; rejectedMs: number | null } = { acceptedMs: null, rejectedMs: null }
  let known: string | null = null
  let isTested = false
  let writtenMs = -Infinity

  const isKey = (fingerprint: string) =>
    and(eq(connectionKeys.connectionId, connectionId), eq(connectionKeys.fingerprint, fingerprint))

  const test = (forPerson: boolean) =>
    proveKeys({ db, row, client, nowMs: now() }, forPerson, async (key, projectId) => {
      const limiter = projectId === null ? limiters.static_exports : limiters.agent_jobs
      const operation = key !== 'read' && client.hasReadKey ? 'generateBundle' : undefined
      const granted = await db.transaction((tx) => limiter.grant(tx, operation))
      // Only a test of the key that reads use counts as an answer to reads.
      return key === 'invalid' || operation !== undefined ? (make) => make() : granted.call
    })

  const store = async (fingerprint: string, verdict: Verdict): Promise<KeyCheck> => {
    const check = await storeVerdict(db, { connectionId, fingerprint, at: new Date(now()) }, verdict)
    if (check.outcome === 'proven') await onProven()
    return check
  }

  /** True for the one replica that tests this key. */
  const claim = async (fingerprint: string): Promise<boolean> => {
    const at = new Date(now())
    await db.insert(connectionKeys).values({ connectionId, fingerprint, firstUsedAt: at }).onConflictDoNothing()
    const open = or(
      isNull(connectionKeys.checkClaimedAt),
      lt(connectionKeys.checkClaimedAt, new Date(at.getTime() - claimMs)),
    )
    const claimed = await db
      .update(connectionKeys)
      .set({ checkClaimedAt: at })
      .where(and(isKey(fingerprint), isNull(connectionKeys.checkedAt), open))
      .returning({ fingerprint: connectionKeys.fingerprint })
    return claimed.length > 0
  }

  const isAnotherKnown = async (fingerprint: string): Promise<boolean> => {
    const others = and(eq(connectionKeys.connectionId, connectionId), ne(connectionKeys.fingerprint, fingerprint))
    return (await db.select({ at: connectionKeys.firstUsedAt }).from(connectionKeys).where(others).limit(1)).length > 0
  }

  /** Tests a key unless another replica did. False when the test must be tried again. */
  const testOnce = async (fingerprint: string): Promise<boolean> => {
    if (!(await claim(fingerprint))) {
      const [row] = await db.select({ at: connectionKeys.checkedAt }).from(connectionKeys).where(isKey(fingerprint))
      return row !== undefined && row.at !== null
    }
    try {
      // A key that an admin replaced in Settings comes with a new client, which does not know the earlier keys.
      if (await isAnotherKnown(fingerprint)) await onNewKey()
      await store(fingerprint, await test(false))
      return true
    } catch (error) {
      log.debug({ err: error, connectionId }, 'a key was not tested yet')
      return false
    }
  }

  const writeSeen = async (fingerprint: string) => {
    const { acceptedMs, rejectedMs } = seen
    const isDue = Math.abs(now() - writtenMs) >= goodNewsMs
    if (rejectedMs === null && (acceptedMs === null || !isDue)) return
    writtenMs = now()
    Object.assign(seen, { acceptedMs: null, rejectedMs: null })
    await db
      .update(connectionKeys)
      .set({
        ...(acceptedMs !== null && { lastAcceptedAt: new Date(acceptedMs) }),
        ...(rejectedMs !== null && { lastRejectedAt: new Date(rejectedMs) }),
      })
      .where(isKey(fingerprint))
  }

  return {
    noteOutcome: ({ error }: Pick<Outcome, 'error'>) => {
      if (error === null || (error.code === 'upstream_not_found' && !isBareMissing(error))) seen.acceptedMs = now()
      else if (error.code === 'upstream_key_rejected') seen.rejectedMs = now()
    },
    /** Tests the keys for a person. Rejects while calls are paused or the budget is spent. */
    check: async (): Promise<KeyCheck> => store(await client.fingerprint(), await test(true)),
    /** Call this after keys were saved that were tested before. Calls the service once more, which ends its trouble with an earlier key. */
    welcome: async ({ outcome }: Pick<KeyCheck, 'outcome'>) => {
      await onNewKey()
      if (outcome !== 'proven') return
      await test(false).catch((error: unknown) =>
        log.debug({ err: error, connectionId }, 'a saved key was not used yet'),
      )
      await onProven()
    },
    tick: async () => {
      const fingerprint = await client.fingerprint()
      if (fingerprint !== known) {
        if (known !== null) await onNewKey()
        known = fingerprint
        isTested = row.kind === 'embedded'
      }
      if (!isTested) isTested = await testOnce(fingerprint)
      await writeSeen(fingerprint)
    },
  }
}
