import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import type { HistoryEvent, HistoryKind } from '@docket/api-types/history'
import type { Outcome } from '#features/records/agent-jobs/prompts/conversation.tsx'

const endings: Partial<Record<HistoryKind | 'cancelled', Omit<Outcome, 'at'>>> = {
  pull_request_reported: { tone: 'done', word: 'Opened a pull request' },
  completed: { tone: 'done', word: 'Finished' },
  no_pull_request: { tone: 'idle', word: 'No pull request reported' },
  failed: { tone: 'failed', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Cancelled' },
}

/** Outcome of each prompt but the latest, by `requestId`: the last ending in the history before the next prompt. */
export const findTurnOutcomes = (
  prompts: readonly AgentPrompt[],
  events: readonly HistoryEvent[],
): ReadonlyMap<string, Outcome> => {
  const accepted = prompts.filter(({ state }) => state === 'accepted')
  return new Map(
    accepted.slice(0, -1).flatMap(({ requestId, sentAt }, index) => {
      const nextAt = Date.parse(accepted[index + 1]!.sentAt)
      const ending = events.findLast(
        ({ kind, at }) => endings[kind] && Date.parse(at) >= Date.parse(sentAt) && Date.parse(at) < nextAt,
      )
      return ending ? [[requestId, { ...endings[ending.kind]!, at: ending.at }] as const] : []
    }),
  )
}
