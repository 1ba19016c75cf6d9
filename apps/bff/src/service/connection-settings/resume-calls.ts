import { recordAudit } from '#ground/audit/audit.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'

/**
 * Ends the pauses of a connection for which the service asked for more than the hour that Docket waits; the next 429 begins another one.
 * Rejects with `conflict` when there is no such pause.
 */
export const resumeCalls = async (
  { db, registry, kinds, now }: ServiceCtx,
  named: string | undefined,
  by: Actor,
  scope: TokenScope,
): Promise<void> => {
  const connectionId = await registry.choose(named, scope)
  const { limits } = registry.open(connectionId)
  await db.transaction(async (tx) => {
    const calls = await limits.endLongPauses(tx)
    if (calls.length === 0) throw new AppError('conflict', 'The pause is over. Reload the page.')
    for (const ended of calls) if (ended !== 'agent_prompts') await kinds[ended].readLimitedNow(tx, connectionId)
    await recordAudit(tx, by, {
      action: 'connection.pause_ended',
      at: new Date(now()),
      target: { type: 'connection', id: connectionId, name: registry.findKnown(connectionId)?.row.name ?? null },
      details: { calls: calls.join(', ') },
    })
  })
  registry.wake()
}
