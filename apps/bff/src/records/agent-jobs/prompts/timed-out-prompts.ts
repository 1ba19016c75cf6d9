import { and, eq, lte, notLike, or, isNull } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import type { Clock } from '#service/polling/schedule.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { keepPromptOutcome } from './prompt-outcome.ts'

/**
 * Marks prompts whose answer can no longer come as `unknown`: those older than any call, and, with `orphans`, those of every other
 * process at a connection. Nothing is ever sent again.
 */
export const endTimedOutPrompts = async (
  db: Database,
  clock: Clock,
  orphans?: { owner: string; connectionId: string },
): Promise<void> => {
  const over =
    orphans === undefined
      ? lte(agentPrompts.leaseUntil, new Date(clock.now))
      : and(
          eq(agentPrompts.connectionId, orphans.connectionId),
          or(isNull(agentPrompts.leaseOwner), notLike(agentPrompts.leaseOwner, `${orphans.owner}/%`)),
        )
  const rows = await db
    .select({ requestId: agentPrompts.requestId })
    .from(agentPrompts)
    .where(and(eq(agentPrompts.state, 'sending'), over))
  for (const { requestId } of rows)
    await db.transaction((tx) =>
      keepPromptOutcome(tx, requestId, { state: 'unknown', error: null }, { by: null, clock, only: ['sending'] }),
    )
}
