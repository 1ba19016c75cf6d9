import { randomUUID } from 'node:crypto'
import type { KeyCheck, KeyHealth } from '@docket/api-types/connections'
import { and, desc, eq, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Outcome } from '#service/admin-api/connection.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'
import type { ConnectionRow } from './connection-rows.ts'
import { connectionKeys } from './connection-keys.table.ts'
import type { ServiceClient } from './open-client.ts'

const dayMs = 86_400_000
const firstWarningDays = 14

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Warns about the expiry of a key from 14 days before its last day (YYYY-MM-DD, UTC). Null before that, and without such a day. */
export const describeKeyExpiry = (keyExpiresOn: string | null, now: number): string | null => {
  if (keyExpiresOn === null) return null
  const days = Math.floor(Date.parse(`${keyExpiresOn}T00:00:00Z`) / dayMs) - Math.floor(now / dayMs)
  if (days > firstWarningDays) return null
  if (days < 0) return `The key expired on ${keyExpiresOn}. Replace it and enter its new date.`
  if (days === 0) return 'The key expires today. Replace it.'
  return `The key expires in ${formatDays(days)}, on ${keyExpiresOn}. Replace it before then.`
}

type Verdict = Pick<KeyCheck, 'outcome' | 'message'>

/** Minimum interval between two writes of a successful use. Milliseconds. */
const goodNewsMs = 30_000

/** A test claimed by a process that was killed counts as lost after this time. Milliseconds. */
const claimMs = 120_000

const judgeAnswer = (error: AdminApiError | null): Verdict => {
  if (error === null || error.code === 'upstream_not_found')
    return { outcome: 'proven', message: 'The service accepts this key.' }
  if (error.code === 'upstream_key_rejected') return { outcome: 'rejected', message: error.message }
  if (error.code === 'upstream_forbidden')
    return {
      outcome: 'not_proven',
      message: `The service refused the test (403). The key may lack this right, or an allow list of addresses or the plan may block it. ${error.message}`,
    }
  return { outcome: 'not_proven', message: `Docket couldn’t test the key. ${error.message}` }
}

/** Requests a random id and judges the key by the answer: a 404 proves the key. */
export const judgeCall = async (ask: () => Promise<unknown>): Promise<Verdict> => {
  try {
    await ask()
    return judgeAnswer(null)
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error
    return judgeAnswer(error)
  }
}

const findWorstVerdict = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ outcome }) => outcome === 'rejected') ??
  verdicts.find(({ outcome }) => outcome === 'not_proven') ??
  verdicts[0]!

/** Prefers the default project, then that of the latest job. Null without any. */
const findProject = async (tx: Tx, connectionId: string): Promise<string | null> => {
  const { rows } = await tx.execute<{ project_id: string }>(sql`
    (select project_id from projects where connection_id = ${connectionId}::uuid order by is_default desc limit 1)
    union all
    (select project_id from agent_jobs where connection_id = ${connectionId}::uuid order by followed_at desc limit 1) limit 1`)
  return rows[0]?.project_id ?? null
}

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

  /** Requests a random id with each key: a 404 proves the key. Costs one call of the budget for each. */
  const test = async (): Promise<Verdict> => {
    const projectId = await findProject(db, connectionId)
    const limiter = projectId === null ? limiters.static_exports : limiters.agent_jobs
    const ask = (api: AdminApi) => {
      const id = randomUUID()
      return projectId === null ? api.getStaticExport(id) : api.getAgentJob({ projectId, id })
    }
    const verdicts: Verdict[] = []
    for (const name of client.hasReadKey ? (['main', 'read'] as const) : (['main'] as const)) {
      const operation = name === 'main' && client.hasReadKey ? 'generateBundle' : undefined
      const granted = await db.transaction((tx) => limiter.grant(tx, operation))
      const api = client.withOneKey(name)
      try {
        // A test of the first key beside a second one must not count as an answer to reads.
        verdicts.push(
          await judgeCall(() => (operation === undefined ? granted.call<unknown>(() => ask(api)) : ask(api))),
        )
      } finally {
        await api.close()
      }
    }
    return findWorstVerdict(verdicts)
  }

  const storeVerdict = async (fingerprint: string, { outcome, message }: Verdict): Promise<KeyCheck> => {
    const at = new Date(now())
    const seenAt = outcome === 'proven' ? { lastAcceptedAt: at } : outcome === 'rejected' ? { lastRejectedAt: at } : {}
    const checked = { ...seenAt, checkOutcome: outcome, checkMessage: message, checkedAt: at, checkClaimedAt: null }
    await db
      .insert(connectionKeys)
      .values({ connectionId, fingerprint, firstUsedAt: at, ...checked })
      .onConflictDoUpdate({ target: [connectionKeys.connectionId, connectionKeys.fingerprint], set: checked })
    if (outcome === 'proven') await onProven()
    return { outcome, message, at: at.toISOString() }
  }

  const check = async (): Promise<KeyCheck> => {
    const fingerprint = await client.fingerprint()
    return storeVerdict(fingerprint, await test())
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
      await storeVerdict(fingerprint, await test())
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
      if (error === null || error.code === 'upstream_not_found') seen.acceptedMs = now()
      else if (error.code === 'upstream_key_rejected') seen.rejectedMs = now()
    },
    /** Tests the keys now. Rejects while calls are paused or the budget is spent. */
    check,
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
