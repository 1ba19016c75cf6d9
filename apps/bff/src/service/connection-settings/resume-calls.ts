import { AppError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import { audit } from './connection-settings.ts'

const pausing = [
  'upstream_rate_limited',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_key_rejected',
  'upstream_forbidden',
] as const

/** Ends the pauses of a connection; the next failure may begin another one. Rejects with `conflict` when no calls are held back. */
export const resumeCalls = async (
  ctx: ServiceCtx,
  named: string | undefined,
  by: Actor,
  scope: TokenScope,
): Promise<void> => {
  const { db, registry, kinds } = ctx
  const connectionId = await registry.choose(named, scope)
  const { limits } = registry.open(connectionId)
  await db.transaction(async (tx) => {
    const calls = await limits.resume(tx)
    if (calls.length === 0)
      throw new AppError('conflict', 'No calls of this connection are held back. Reload the page.')
    for (const ended of calls) if (ended !== 'agent_prompts') await kinds[ended].readAgain(tx, connectionId, pausing)
    await audit(ctx, by)(tx, 'connection.pause_ended', registry.findKnown(connectionId)!.row, {
      calls: calls.join(', '),
    })
  })
  registry.wake()
}
