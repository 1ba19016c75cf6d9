import { eq } from 'drizzle-orm'
import { AdminApiError, type AdminApi } from '#admin-api/admin-api.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import type { Log } from '#log/log.ts'
import type { Permit } from '#rate-limit/limiter.ts'
import type { Polling } from '#polling/polling.ts'
import { callsAtMostOnce } from '#admin-api/at-most-once.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { writePromptIntent, type PromptIntent } from './prompt-intent.ts'
import { keepPromptOutcome, type PromptOutcome } from './prompt-outcome.ts'
import type { AgentPromptRow } from './prompt-view.ts'

/** Sends prompts, each intent at most once. */
export type PromptSender = {
  /**
   * Writes the intent, makes the call, and waits up to `waitMs` for its answer. Answers with the intent. The same
   * `requestId` calls nothing again. Rejects with `invalid_request`, `not_found`, `conflict` and `too_many_requests` before anything is written or called.
   */
  send: (intent: PromptIntent, waitMs: number) => Promise<AgentPromptRow>
  /** Waits for the calls under way. */
  settled: () => Promise<void>
}

/** `polling` with the limiter of prompts. A lease is longer than a call, so that what still has no answer then has lost it. */
export const promptSender = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
  /** To be called when a job became due. */
  wake: () => void
}): PromptSender => {
  const { db, adminApi, log, wake } = deps
  const { limiter, lease, now, schedule } = deps.polling

  const ask = ({ projectId, jobId, prompt }: AgentPromptRow) =>
    jobId === null
      ? adminApi.createAgentJob({ projectId, prompt })
      : adminApi.sendAgentMessage({ projectId, id: jobId, prompt }).then((snapshot) => ({ ...snapshot, id: jobId }))

  const call = async (row: AgentPromptRow, permit: Permit): Promise<PromptOutcome> => {
    try {
      const { id, ...snapshot } = await permit.call(() => ask(row))
      return { state: 'accepted', jobId: id, snapshot }
    } catch (error) {
      if (!(error instanceof AdminApiError)) {
        log.error({ err: error, requestId: row.requestId }, 'a prompt ended in an unforeseen way')
        return { state: 'unknown', error: null }
      }
      return { state: error.effect === 'none' ? 'refused' : 'unknown', error }
    }
  }

  const calls = callsAtMostOnce<{ row: AgentPromptRow; by: Actor; outcome: PromptOutcome }>({
    what: 'a prompt',
    write: ({ row, by, outcome }) =>
      db.transaction((tx) => keepPromptOutcome(tx, row.requestId, outcome, { by, clock: { now: now(), schedule } })),
    isOpen: async (requestId) => {
      const [row] = await db
        .select({ state: agentPrompts.state })
        .from(agentPrompts)
        .where(eq(agentPrompts.requestId, requestId))
      return row?.state === 'sending'
    },
    wake,
    log,
  })

  return {
    send: async (intent, waitMs) => {
      await schedule.refresh()
      const { row, permit } = await writePromptIntent(db, intent, {
        sentAt: new Date(now()),
        leaseOwner: `${lease.owner}/prompt`,
        leaseUntil: new Date(now() + lease.leaseMs),
        takePermit: (tx) => limiter.permit(tx, intent.kind === 'creation' ? 'createAgentJob' : 'sendAgentMessage'),
      })
      const { by } = intent
      if (permit !== null) calls.launch(row.requestId, async () => ({ row, by, outcome: await call(row, permit) }))
      await calls.answered(row.requestId, waitMs)
      return row
    },
    settled: calls.settled,
  }
}
