import type { CodeHostPullState } from '@docket/api-types/code-host'
import type { Tone } from '#ui/marks/state-mark.tsx'

export const pullState: Readonly<Record<CodeHostPullState, { tone: Tone; word: string }>> = {
  open: { tone: 'waiting', word: 'Open' },
  merged: { tone: 'done', word: 'Merged' },
  closed: { tone: 'archived', word: 'Closed' },
}
