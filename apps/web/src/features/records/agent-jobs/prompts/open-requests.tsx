import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useListedJobs } from '#features/records/agent-jobs/follow/listed-jobs.queries.ts'
import { ListedJobs, ListedJobText } from '#features/records/agent-jobs/follow/listed-jobs.tsx'
import { createUuid } from '#lib/uuid.ts'
import { Button } from '#ui/buttons/button.tsx'
import {
  ConnectionMark,
  useChosenConnection,
  useRecordConnection,
  useReadOnly,
  useRecordRefusal,
} from '#ui/connections/connections.tsx'
import { ReadOnlyReason } from '#ui/connections/read-only.tsx'
import { Ago, usePaused } from '#ui/live/ticking.tsx'
import { toastUndo } from '#ui/live/use-write.ts'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { LostAnswerDialog } from '#ui/overlays/lost-answer-dialog.tsx'
import { openPromptsQuery, useAttachJob, useCreateJob, useForgetRequest, useRestoreRequest } from './prompts.queries.ts'

type LostJobFinderProps = { connectionId: string; projectId: string; attach: (id: string) => void; busy: boolean }

const CandidateJobs = ({ connectionId, projectId, attach, busy }: LostJobFinderProps) => {
  const list = useListedJobs(connectionId, projectId)
  return (
    <ListedJobs
      list={list}
      projectId={projectId}
      row={(job) => (
        <div className="flex items-start gap-3 px-3 py-2.5">
          <ListedJobText job={job} />
          <Button busy={busy} onClick={() => attach(job.id)}>
            Attach <span className="sr-only">{job.title ?? job.id}</span>
          </Button>
        </div>
      )}
    />
  )
}

const LostJobFinder = (props: LostJobFinderProps) => {
  const [times, setTimes] = useState(0)
  return (
    <div className="mt-3 flex flex-col gap-3">
      <Button className="self-start" onClick={() => setTimes(times + 1)}>
        Find it in the project
      </Button>
      {times > 0 && <CandidateJobs key={times} {...props} />}
    </div>
  )
}

type DecisionProps = {
  prompt: AgentPrompt
  /** Null if jobs cannot be created. */
  again: (() => void) | null
  onClose: () => void
}

const RequestDecision = ({ prompt, again, onClose }: DecisionProps) => {
  const attach = useAttachJob()
  const forget = useForgetRequest()
  const restore = useRestoreRequest()
  const { projectId } = prompt
  const connection = useRecordConnection(prompt)
  const lists = connection?.agentJobList === true
  const attachJob = (id: string) => attach.mutate({ prompt, id }, { onSuccess: onClose })
  const takeOff = () =>
    toastUndo(forget.mutateAsync(prompt), `Forgot the request for a job of ${projectId}.`, () =>
      restore.mutateAsync(prompt),
    )
  return (
    <LostAnswerDialog
      onClose={onClose}
      title={`Was the job of ${projectId} created?`}
      attaching={{
        attach: attachJob,
        busy: attach.isPending,
        error: attach.error,
        finder: lists && (
          <LostJobFinder
            connectionId={connection.connectionId}
            projectId={projectId}
            attach={attachJob}
            busy={attach.isPending}
          />
        ),
      }}
      again={
        again && {
          name: 'Create it again',
          warning: 'If the first one was created, two jobs do the same work.',
          run: again,
        }
      }
      forget={{
        warning: 'Removes the request from the list. If the job was created, it finishes without Docket.',
        run: takeOff,
      }}
    >
      {prompt.reason} {lists ? '' : 'The service has no list to look it up in, and '}Docket never sends a prompt twice
      on its own.
    </LostAnswerDialog>
  )
}

/** Repeats a request under a new id; `busy` until the response. */
const useRepeatRequest = ({ connectionId, projectId, prompt, maintenance, requestId: replaces }: AgentPrompt) => {
  const create = useCreateJob()
  // The id stays the same until a response arrives, so that two presses send one request.
  const [requestId, setRequestId] = useState(createUuid)
  const again = () =>
    void create
      .mutateAsync({ requestId, connectionId, projectId, ...(maintenance ? { maintenance } : { prompt }), replaces })
      .then(({ prompt: next }) => {
        if (next.state !== 'refused') return
        setRequestId(createUuid())
        toast(`No job was created. ${next.reason ?? ''}`, { tone: 'failed' })
      }, toastFailure())
  return { again, busy: create.isPending }
}

const OpenRequestItem = ({ prompt, mayCreate }: { prompt: AgentPrompt; mayCreate: boolean }) => {
  const [deciding, setDeciding] = useState(false)
  const { again, busy } = useRepeatRequest(prompt)
  const refused = useRecordRefusal(prompt)
  const readOnly = useReadOnly(prompt)
  const creates = useRecordConnection(prompt)?.agentJobCreation ?? mayCreate
  const lost = prompt.state === 'unknown'
  return (
    <li
      aria-label={`Request for a job of ${prompt.projectId}`}
      className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="flex flex-wrap items-center gap-x-2">
          <StateLabel tone={lost ? 'attention' : 'live'}>
            {lost ? 'Unknown outcome' : 'Waiting for a response'}
          </StateLabel>
          <span className="text-xs text-muted">
            {prompt.projectId} · <bdi>{prompt.sentBy}</bdi>, <Ago at={prompt.sentAt} />
          </span>
          <ConnectionMark record={prompt} />
        </p>
        <p dir="auto" className="mt-0.5 line-clamp-2 whitespace-pre-line wrap-anywhere">
          {prompt.prompt}
        </p>
        {prompt.reason && (
          <p dir="auto" className="mt-0.5 text-xs text-muted">
            {prompt.reason}
          </p>
        )}
      </div>
      {lost && readOnly !== null && <ReadOnlyReason reason={readOnly} />}
      {lost && readOnly === null && (
        <>
          <Button refused={refused} busy={busy} onClick={() => setDeciding(true)}>
            Decide… <span className="sr-only">about the job of {prompt.projectId}</span>
          </Button>
          {deciding && (
            <RequestDecision prompt={prompt} again={creates ? again : null} onClose={() => setDeciding(false)} />
          )}
        </>
      )}
    </li>
  )
}

export const OpenRequests = ({ mayCreate }: { mayCreate: boolean }) => {
  const { data } = useQuery(openPromptsQuery(useChosenConnection(), usePaused()))
  if (!data || data.prompts.length === 0) return null
  return (
    <section aria-labelledby="requests-heading" className="mt-6">
      <h2 id="requests-heading" className="mb-2 text-base font-semibold">
        Open requests
      </h2>
      <ul className="panel divide-y divide-line">
        {data.prompts.map((prompt) => (
          <OpenRequestItem key={prompt.requestId} prompt={prompt} mayCreate={mayCreate} />
        ))}
      </ul>
    </section>
  )
}
