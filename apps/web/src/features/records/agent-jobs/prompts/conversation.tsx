import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { toJobKey, type JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { LongText } from '#features/records/agent-jobs/details/long-text.tsx'
import { isWorkingJob, describeJobState } from '#features/records/agent-jobs/job-state.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordConnection, useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { useDraft } from '#ui/forms/use-draft.ts'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { Panel } from '#ui/layout/page.tsx'
import { HelpLink } from '#ui/links/help-link.tsx'
import { Instant, usePaused } from '#ui/live/ticking.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'
import { toast } from '#ui/messages/toast.ts'
import { PromptField } from './prompt-field.tsx'
import { PromptForm } from './prompt-form.tsx'
import { jobPromptsQuery, useSendMessage } from './prompts.queries.ts'
import { usePromptForm } from './use-prompt-form.ts'

type FollowUpFormProps = { jobKey: JobKey; draft: ReturnType<typeof useDraft<{ prompt: string }>>; merged: boolean }

/** Sends a follow-up to an ended job. The draft survives a reload. */
const FollowUpForm = ({ jobKey, draft: savedDraft, merged }: FollowUpFormProps) => {
  const message = useSendMessage(jobKey)
  const { draft, type, submit, busy, problems } = usePromptForm({
    draft: savedDraft,
    visible: true,
    send: ({ prompt }, requestId) => message.mutateAsync({ requestId, prompt }),
    onTaken: ({ prompt }) =>
      prompt.state === 'accepted'
        ? toast('Sent the follow-up.', { tone: 'done' })
        : toast(prompt.reason ?? 'The service hasn’t responded yet. The agent may have received the follow-up.', {
            tone: 'failed',
          }),
  })
  return (
    <PromptForm
      onSubmit={submit}
      problems={problems}
      title="The follow-up was not sent"
      actions={
        <Button type="submit" busy={busy} className="self-end">
          Send
        </Button>
      }
    >
      <PromptField
        label="Send follow-up"
        value={draft.prompt}
        onChange={(prompt) => type({ prompt })}
        busy={busy}
        error={problems.prompt}
        hint={
          merged
            ? 'The pull request is merged, so this may open another one.'
            : 'Continues in the same branch and pull request.'
        }
      />
    </PromptForm>
  )
}

const stateLabels: Record<Exclude<AgentPrompt['state'], 'accepted'>, { tone: Tone; word: string }> = {
  sending: { tone: 'live', word: 'Waiting for a response' },
  refused: { tone: 'failed', word: 'Not sent' },
  unknown: { tone: 'attention', word: 'May have been sent' },
}

/** Outcome of an earlier prompt. `at` is ISO 8601, UTC. */
export type Outcome = { tone: Tone; word: string; at: string }

const acceptsFollowUps = (job: AgentJob): boolean =>
  !isWorkingJob(job) && job.meaning !== 'archived' && job.meaning !== 'gone'

const PromptMessage = ({ prompt, onReuse }: { prompt: AgentPrompt; onReuse: (() => void) | null }) => {
  const state = prompt.state === 'accepted' ? null : stateLabels[prompt.state]
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span>
          <bdi className="font-medium text-text">{prompt.sentBy}</bdi>, <Instant at={prompt.sentAt} />
        </span>
        {state && <StateLabel tone={state.tone}>{state.word}</StateLabel>}
      </p>
      <div className="mt-1.5 rounded-lg rounded-tl-sm bg-sunken px-3.5 py-2.5">
        <LongText className="max-h-96">{prompt.prompt}</LongText>
      </div>
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
    </>
  )
}

type AgentReplyProps = Omit<Outcome, 'at'> & { at?: string; children?: ReactNode }

const AgentReply = ({ tone, word, at, children }: AgentReplyProps) => (
  <div className="flex items-start gap-2.5 pl-1">
    <Bot className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden="true" />
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <StateLabel tone={tone}>{word}</StateLabel>
        {at && <Instant at={at} />}
      </p>
      {children}
    </div>
  </div>
)

const LatestTurn = ({ job }: { job: AgentJob }) => {
  const { tone, word } = describeJobState(job)
  const over = !isWorkingJob(job)
  return (
    <AgentReply tone={tone} word={word} {...(over && job.finishedAt && { at: job.finishedAt })}>
      {over && job.report && <LongText className="mt-1.5 max-h-[32rem]">{job.report}</LongText>}
    </AgentReply>
  )
}

type ConversationProps = { job: AgentJob; allowed: boolean; hasAgent: boolean; outcomes: ReadonlyMap<string, Outcome> }

export const Conversation = ({ job, allowed, hasAgent, outcomes }: ConversationProps) => {
  const noPrompts = usePromptRefusal()
  const refused = useRecordRefusal(job) ?? noPrompts
  const connection = useRecordConnection(job)
  const readOnly = useReadOnly(job)
  const { data } = useQuery(jobPromptsQuery(toJobKey(job), usePaused()))
  const draft = useDraft(`follow-up ${[job.connectionId, job.projectId, job.id].filter(Boolean).join(' ')}`, {
    prompt: '',
  })
  const prompts = data?.prompts ?? []
  const asks = (connection?.agentJobCreation ?? allowed) && readOnly === null && acceptsFollowUps(job)
  if (prompts.length === 0 && !asks && !job.report) return null
  const last = prompts.findLast(({ state }) => state === 'accepted')
  return (
    <Panel title="Conversation">
      <ol className="space-y-4 empty:hidden">
        {prompts.map((prompt) => {
          const outcome = outcomes.get(prompt.requestId)
          return (
            <li key={prompt.requestId} className="space-y-3">
              <div>
                <PromptMessage
                  prompt={prompt}
                  onReuse={
                    // Keeps an existing draft.
                    asks && refused === null && draft.draft.prompt.trim() === ''
                      ? () => draft.change({ prompt: prompt.prompt, requestId: null, sentAs: null })
                      : null
                  }
                />
              </div>
              {prompt === last ? <LatestTurn job={job} /> : outcome && <AgentReply {...outcome} />}
            </li>
          )
        })}
        {last === undefined && job.report && (
          <li>
            <LatestTurn job={job} />
          </li>
        )}
      </ol>
      {asks && (
        <div className={prompts.length > 0 || job.report ? 'mt-4 border-t border-line pt-4' : ''}>
          {connection?.kind === 'embedded' && !hasAgent ? (
            <p className="text-sm text-muted">
              No agent is configured, so this job takes no follow-ups. To send one, set AGENT_COMMAND as{' '}
              <HelpLink page="agent-jobs/agents">the guide describes</HelpLink>.
            </p>
          ) : refused === null ? (
            <FollowUpForm jobKey={toJobKey(job)} draft={draft} merged={job.meaning === 'merged'} />
          ) : (
            <Button refused={refused}>Send follow-up</Button>
          )}
        </div>
      )}
    </Panel>
  )
}
