import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { useQuery } from '@tanstack/react-query'
import { toJobKey } from '#features/agent-jobs/agent-jobs.queries.ts'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import { StateLabel, type Tone } from '#ui/state-mark.tsx'
import { Instant } from '#ui/ticking.tsx'
import { useDraft } from '#ui/forms/use-draft.ts'
import { usePaused } from '#ui/use-paused.ts'
import { useRecordConnection, useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { FollowUpForm } from './follow-up-form.tsx'
import { jobPromptsQuery } from './prompts.queries.ts'

const stateLabels: Record<Exclude<AgentPrompt['state'], 'accepted'>, { tone: Tone; word: string }> = {
  sending: { tone: 'live', word: 'Waiting for a response' },
  refused: { tone: 'failed', word: 'Not sent' },
  unknown: { tone: 'attention', word: 'May have been sent' },
}

/** True when the job ended in a state that accepts follow-ups. */
export const takesFollowUps = ({ meaning }: Pick<AgentJob, 'meaning'>): boolean =>
  ['pull_request_ready', 'finishing', 'no_pull_request', 'failed'].includes(meaning)

const Prompt = ({ prompt, onReuse }: { prompt: AgentPrompt; onReuse: (() => void) | null }) => {
  const state = prompt.state === 'accepted' ? null : stateLabels[prompt.state]
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        {state && <StateLabel tone={state.tone}>{state.word}</StateLabel>}
        <span>
          <bdi>{prompt.sentBy}</bdi>, <Instant at={prompt.sentAt} />
        </span>
      </p>
      <p
        dir="auto"
        className="mt-1 max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-sm"
        // Focusable, so that the keyboard can scroll a long prompt.
        tabIndex={prompt.prompt.length > 600 ? 0 : undefined}
      >
        {prompt.prompt}
      </p>
      {prompt.reason && (
        <p dir="auto" className="mt-1 text-xs text-attention wrap-anywhere">
          {prompt.reason}
        </p>
      )}
      {onReuse && state && prompt.state !== 'sending' && (
        <Button className="mt-2" onClick={onReuse}>
          Copy into the form
        </Button>
      )}
    </li>
  )
}

type JobPromptsProps = {
  job: AgentJob
  /** Follow-ups can be sent from this Docket. */
  allowed: boolean
}

/** Prompts sent to a job, and the form for a follow-up. Renders nothing without either. */
export const JobPrompts = ({ job, allowed }: JobPromptsProps) => {
  const refused = useRecordRefusal(job)
  const connection = useRecordConnection(job)
  const readOnly = useReadOnly(job)
  const { data } = useQuery(jobPromptsQuery(toJobKey(job), usePaused()))
  const draft = useDraft(`follow-up ${[job.connectionId, job.projectId, job.id].filter(Boolean).join(' ')}`, {
    prompt: '',
  })
  const prompts = data?.prompts ?? []
  const asks = (connection?.agentJobCreation ?? allowed) && readOnly === null && takesFollowUps(job)
  if (prompts.length === 0 && !asks) return null
  return (
    <Panel title={prompts.length > 0 ? 'Prompts' : 'Follow-up'}>
      {prompts.length > 0 && (
        <ol className="divide-y divide-line">
          {prompts.map((prompt) => (
            <Prompt
              key={prompt.requestId}
              prompt={prompt}
              onReuse={
                // Keeps an existing draft.
                asks && refused === null && draft.draft.prompt.trim() === ''
                  ? () => draft.change({ prompt: prompt.prompt, requestId: null, sentAs: null })
                  : null
              }
            />
          ))}
        </ol>
      )}
      {asks && (
        <div className={prompts.length > 0 ? 'mt-4 border-t border-line pt-4' : ''}>
          {refused === null ? (
            <FollowUpForm jobKey={toJobKey(job)} draft={draft} />
          ) : (
            <Button refused={refused}>Send follow-up</Button>
          )}
        </div>
      )}
    </Panel>
  )
}
