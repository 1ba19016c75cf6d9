import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { RateLimit } from '#service/rate-limit/rate-limit.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'
import type { ConnectionRegistry, Running } from '#service/connections/connection-registry.ts'

type Limited = Running & { limits: Pick<RateLimit, 'endLongPauses'> }

/**
 * Ends the pauses of a connection that its service asked to last longer than the hour that Docket waits; the next 429 begins another one.
 * Rejects with `conflict` when there is none.
 */
export const resumeCalls = (deps: {
  db: Database
  registry: Pick<ConnectionRegistry<Limited>, 'choose' | 'findKnown' | 'open'>
  /** Make records of a connection due whose last read was limited. */
  kinds: readonly { calls: WatchedClass; readLimitedNow: (tx: Tx, connectionId: string) => Promise<void> }[]
  /** Called when records became due. */
  wake: () => void
  now: () => number
}) => {
  const { db, registry, kinds, wake, now } = deps
  return async (named: string | undefined, by: Actor, scope: TokenScope): Promise<void> => {
    const connectionId = await registry.choose(named, scope)
    const { limits } = registry.open(connectionId)
    await db.transaction(async (tx) => {
      const calls = await limits.endLongPauses(tx)
      if (calls.length === 0) throw new AppError('conflict', 'The pause is over. Reload the page.')
      for (const kind of kinds) if (calls.includes(kind.calls)) await kind.readLimitedNow(tx, connectionId)
      const details = { calls: calls.join(', ') }
      const name = registry.findKnown(connectionId)?.row.name ?? null
      const target = { type: 'connection', id: connectionId, name }
      await recordAudit(tx, by, { action: 'connection.pause_ended', at: new Date(now()), target, details })
    })
    wake()
  }
}
