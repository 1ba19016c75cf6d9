import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { Button } from '#ui/button.tsx'
import { CheckedInFull } from '#ui/records/checked.tsx'
import { DetailsColumns } from '#ui/details-columns.tsx'
import { Notice } from '#ui/notice.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { RecordNote } from '#ui/records/record-note.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { StateLabel } from '#ui/state-mark.tsx'
import { toastFailure } from '#ui/toast.ts'
import { usePaused } from '#ui/use-paused.ts'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { ReadOnlyNotice } from '#ui/connections/read-only.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { jobQuery, toJobId, toJobKey, useChangeNote, useCheckJob, type JobKey } from './agent-jobs.queries.ts'
import { useDismissWithUndo } from './dismiss-with-undo.ts'
import { JobFacts } from './job-facts.tsx'
import { JobMenu } from './job-menu.tsx'
import { JobProject } from './projects/job-project.tsx'
import { canChange, describeJobChange, jobState } from './job-state.ts'
import { PullRequest } from './pull-request.tsx'

/** Reads one job from the service now. */
const CheckJobButton = ({ job }: { job: AgentJob }) => {
  const { mutate, isPending } = useCheckJob()
  const refused = useRecordRefusal(job)
  const check = () => mutate(toJobKey(job), { onError: toastFailure(`Could not check ${job.id}.`) })
  return (
    <Button
      variant="quiet"
      size="icon"
      className="size-7"
      aria-label={`Check ${job.id} now`}
      title="Check now"
      busy={isPending}
      refused={refused}
      onClick={check}
    >
      <RefreshCw className="size-3.5" aria-hidden="true" />
    </Button>
  )
}

const DismissButton = ({ job }: { job: AgentJob }) => {
  const dismiss = useDismissWithUndo()
  return (
    <Button size="md" refused={useRecordRefusal(job)} onClick={() => dismiss(job)}>
      Dismiss
    </Button>
  )
}

const Note = ({ job }: { job: AgentJob }) => {
  const change = useChangeNote(toJobKey(job))
  return <RecordNote note={job.note ?? null} refused={useRecordRefusal(job)} save={change.mutateAsync} />
}

/** One followed agent job in full, and its prompts and history in `children`. */
export const JobDetails = ({ jobKey, children }: { jobKey: JobKey; children: ReactNode }) => {
  const { data: job, error, dataUpdatedAt, refetch } = useQuery(jobQuery(jobKey, usePaused()))
  const readOnly = useReadOnly(job ?? {})
  useAnnouncedChanges(
    useMemo(() => job && [job], [job]),
    toJobId,
    describeJobChange,
  )
  if (!job && error instanceof ApiError && error.code === 'not_found')
    return (
      <>
        <PageHeader title="This job is not followed" />
        <p className="text-sm text-muted">
          Nobody follows the job <code className="font-mono wrap-anywhere">{jobKey.id}</code> of project{' '}
          <code className="font-mono wrap-anywhere">{jobKey.projectId}</code>. Follow it on the Agent jobs page.
        </p>
      </>
    )
  if (!job)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={0} onRetry={() => void refetch()} />
    ) : (
      <div className="space-y-4" aria-busy="true">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-64 w-full" />
      </div>
    )
  const { tone, word, note } = jobState(job)
  const isSafe = Boolean(job.prLink?.href)
  return (
    <>
      <PageHeader
        title={job.id}
        actions={
          <>
            {isSafe && <PullRequest job={job} />}
            {job.needsAttention && <DismissButton job={job} />}
            <JobMenu job={job} onPage />
          </>
        }
      >
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <StateLabel tone={tone}>{word}</StateLabel>
          <JobProject job={job} />
          <ConnectionMark record={job} />
        </span>
      </PageHeader>
      <div className="flex flex-col gap-4">
        {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
        <ReadOnlyNotice record={job} />
        {job.checkFailure && (
          <Notice tone="attention" title="The last check failed">
            {job.checkFailure.message} This is the last known state.
          </Notice>
        )}
        {note && <Notice tone={tone === 'failed' || tone === 'attention' ? tone : 'idle'}>{note}</Notice>}
        {!isSafe && <PullRequest job={job} />}
        <DetailsColumns
          story={null}
          facts={
            <>
              <Panel title="Details">
                <JobFacts job={job} />
                <div className="mt-4 flex items-center justify-between gap-2 border-t border-line pt-2 -mb-2 text-xs">
                  <CheckedInFull record={job} live={canChange(job)} />
                  {readOnly === null && <CheckJobButton job={job} />}
                </div>
              </Panel>
              <Note job={job} />
            </>
          }
        >
          {children}
        </DetailsColumns>
      </div>
    </>
  )
}
