import type { Activity } from '@docket/api-types/activity'
import type { AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { Ending, RecordKey } from '@docket/api-types/history'
import type { StaticExportState } from '@docket/api-types/static-exports'
import { describeJobState } from '#features/records/agent-jobs/job-state.ts'
import { describeExportState } from '#features/records/static-exports/export-state.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

export const labelRunning = ({ key, state, status }: Activity['running'][number]): { tone: Tone; word: string } =>
  key.type === 'static_export'
    ? describeExportState({ state: state as StaticExportState, status, goneAt: null, replacedBy: null, reason: null })
    : describeJobState({ meaning: state as AgentJobMeaning, status })

const endings: Record<Ending, { tone: Tone; word: string }> = {
  completed: { tone: 'done', word: 'completed' },
  failed: { tone: 'failed', word: 'failed' },
  refused: { tone: 'failed', word: 'refused' },
  answer_lost: { tone: 'attention', word: 'unknown outcome' },
  pull_request_ready: { tone: 'done', word: 'pull request ready' },
  no_pull_request: { tone: 'idle', word: 'finished, no pull request reported' },
  gone: { tone: 'attention', word: 'not found on service' },
}

export const labelEnding = (ending: Ending): { tone: Tone; word: string } => endings[ending]

export const labelKind = (key: RecordKey): string => (key.type === 'static_export' ? 'Export' : 'Agent job')
