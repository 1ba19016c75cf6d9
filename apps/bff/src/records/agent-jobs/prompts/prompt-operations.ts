import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Log } from '#ground/log/log.ts'
import type { Polling } from '#service/polling/polling.ts'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { AgentPromptRow } from './agent-prompts.state.ts'
import { promptDecisions } from './decide-prompt.ts'
import { type PromptIntent, promptSender } from './send-prompt.ts'

const notAllowed = () =>
  new AppError(
    'forbidden',
    'New agent jobs and follow-ups are off for this connection. An admin can allow them in Settings › Connections, or with AGENT_JOB_CREATION.',
  )

const answerMs = 15_000

/** Sends prompts at one connection, and settles those without an answer. `polling` belongs to jobs, `limiter` to prompts. */
export const promptOperations = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  limiter: CallLimiter
  /** Called when a job became due. */
  wake: () => void
  allowed: boolean
  log: Log
}) => {
  const { polling, limiter, wake, allowed } = deps
  const sender = promptSender({ ...deps, polling: { ...polling, limiter } })
  const decisions = promptDecisions(deps)
  return {
    wake,
    schedule: polling.schedule,
    send: async (intent: PromptIntent): Promise<AgentPromptRow> => {
      if (!allowed) throw notAllowed()
      return sender.send(intent, answerMs)
    },
    attach: decisions.attach,
    /** Waits for the calls under way. */
    settled: sender.settled,
  }
}

/** What can be done with prompts at one connection. */
export type PromptOperations = ReturnType<typeof promptOperations>
