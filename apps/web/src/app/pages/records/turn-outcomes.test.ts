import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import type { HistoryEvent, HistoryKind } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { findTurnOutcomes } from './turn-outcomes.ts'

const time = (second: number) => new Date(second * 1000).toISOString()
const prompt = (requestId: string, second: number, state: AgentPrompt['state'] = 'accepted') =>
  ({ requestId, state, sentAt: time(second) }) as AgentPrompt
const event = (kind: HistoryKind, second: number) => ({ kind, at: time(second) }) as HistoryEvent

test('each earlier prompt shows its last outcome before the next prompt, and the latest prompt shows none', () => {
  const prompts = [prompt('first', 0), prompt('refused', 15, 'refused'), prompt('second', 20), prompt('third', 40)]
  const events = [
    event('created', 0),
    event('completed', 10),
    event('pull_request_reported', 11),
    event('message_sent', 20),
    event('failed', 30),
    event('checked', 31),
    event('completed', 50),
  ]
  expect([...findTurnOutcomes(prompts, events)].map(([id, { word }]) => [id, word])).toEqual([
    ['first', 'Opened a pull request'],
    ['second', 'Failed'],
  ])
})
