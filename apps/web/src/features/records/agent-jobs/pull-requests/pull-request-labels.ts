import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { Tone } from '#ui/marks/state-mark.tsx'

const states = {
  draft: { tone: 'idle', word: 'Draft' },
  open: { tone: 'done', word: 'Open' },
  merged: { tone: 'merged', word: 'Merged' },
  closed: { tone: 'idle', word: 'Closed' },
  unchecked: { tone: 'waiting', word: 'Not checked' },
} as const satisfies Record<string, { tone: Tone; word: string }>

export const labelPullRequestState = ({ pullRequest }: Pick<AgentJob, 'pullRequest'>): { tone: Tone; word: string } =>
  states[pullRequest?.state ?? 'unchecked']

/** Number of a job's pull request as its host writes it, such as `#12` or `!7`. Null when it is not known. */
export const formatPullRequestNumber = ({
  prLink,
  pullRequest,
}: Pick<AgentJob, 'prLink' | 'pullRequest'>): string | null =>
  /[#!]\d+$/u.exec(prLink?.label ?? '')?.[0] ?? (pullRequest?.number ? `#${pullRequest.number}` : null)
