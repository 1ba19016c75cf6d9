import type { AgentJob, AgentUsage } from '@docket/api-types/agent-jobs'
import type { UpstreamLink as Link } from '@docket/api-types/list'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Pencil } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import {
  jobQuery,
  toJobId,
  toJobKey,
  useChangeJobNote,
  useCheckJob,
  type JobKey,
} from '#features/records/agent-jobs/agent-jobs.queries.ts'
import {
  canChangeByItself,
  describeJobChange,
  formatJobTitle,
  isWorkingJob,
} from '#features/records/agent-jobs/job-state.ts'
import { ProjectDialog } from '#features/records/agent-jobs/projects/project-dialog.tsx'
import { useNamedProject } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { formatCost, formatCount } from '#lib/text/format.ts'
import { formatUsualDuration } from '#lib/time/durations.ts'
import { IconButton } from '#ui/buttons/button.tsx'
import { ConnectionMark, useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { ReadOnlyNotice } from '#ui/connections/read-only.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ReadState, Loading, Panel } from '#ui/layout/page.tsx'
import { OutsideLink } from '#ui/links/outside-link.tsx'
import { usePaused, Elapsed, Instant } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toastFailure } from '#ui/messages/toast.ts'
import { CheckedInFull } from '#ui/records/checked.tsx'
import { CopyableFact, Fact, Facts } from '#ui/records/facts.tsx'
import { RecordNote } from '#ui/records/record-note.tsx'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { Usual } from '#ui/records/usual.tsx'
import { NextStep } from './next-step.tsx'
import { PullRequestPanel } from './pull-request-panel.tsx'

type DetailsColumnsProps = {
  /** Current state, such as progress. May render nothing. */
  story: ReactNode
  facts: ReactNode
  /** The past, such as the history. */
  children?: ReactNode
}

/** Body of a details page. Wide screens show the facts beside the two other parts, narrow ones between them. */
const DetailsColumns = ({ story, facts, children }: DetailsColumnsProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
    <div className="mb-4 space-y-4 empty:mb-0">{story}</div>
    <div className="mb-4 min-w-0 space-y-4 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:mb-0">{facts}</div>
    <div className="min-w-0 space-y-4">{children}</div>
  </div>
)

/** Address from the service: a link with its host, or plain text if it is unsafe. */
const UpstreamLink = ({ link }: { link: Link }) =>
  link.href === null ? (
    <span className="wrap-anywhere">{link.text}</span>
  ) : (
    <span>
      <OutsideLink href={link.href}>{link.label ?? link.host ?? link.text}</OutsideLink>
      {link.host && link.label && <span className="text-muted"> {link.host}</span>}
    </span>
  )

const formatTokens = ({ inputTokens, outputTokens }: AgentUsage): string =>
  [
    inputTokens !== null && `${formatCount(inputTokens)} in`,
    outputTokens !== null && `${formatCount(outputTokens)} out`,
  ]
    .filter(Boolean)
    .join(', ')

const JobFacts = ({ job }: { job: AgentJob }) => {
  const { usage } = job
  const begun = job.startedAt ?? job.createdAt
  const over = !isWorkingJob(job)
  const isTimed = begun && (!over || (job.finishedAt && job.wasSeenRunning !== false))
  return (
    <Facts>
      <Fact name="ID">
        <CopyableFact text={job.id} label="Copy the ID" small />
      </Fact>
      <Fact name="Asked by">{job.askedBy && <bdi>{job.askedBy}</bdi>}</Fact>
      <Fact name="Repository">
        {job.source.repository ? <UpstreamLink link={job.source.repository} /> : 'Not reported'}
      </Fact>
      <Fact name="Branch">
        {job.source.ref && <CopyableFact text={job.source.ref} label="Copy the branch" small />}
      </Fact>
      <Fact name="Model">{job.model}</Fact>
      <Fact name="Tokens">{usage && formatTokens(usage)}</Fact>
      <Fact name="Cost">{typeof usage?.costUsd === 'number' && formatCost(usage.costUsd)}</Fact>
      <Fact name="Created">{job.createdAt && <Instant at={job.createdAt} />}</Fact>
      <Fact name="Started">{job.startedAt && <Instant at={job.startedAt} />}</Fact>
      {job.meaning !== 'waiting' && (
        <Fact name={over ? 'Took' : 'Elapsed'}>{isTimed && <Elapsed from={begun} to={job.finishedAt} />}</Fact>
      )}
      {isTimed && formatUsualDuration(job.usual, 'job') && (
        <Fact name="Compared">
          <Usual usual={job.usual} noun="job" from={job.createdAt ?? begun} to={job.finishedAt} />
        </Fact>
      )}
      <Fact name="Archived">{job.archivedAt && <Instant at={job.archivedAt} />}</Fact>
      <Fact name="Service says">{job.status && <code className="font-mono text-xs">{job.status}</code>}</Fact>
      <Fact name="Added">
        <Instant at={job.followedAt} />
      </Fact>
      <Fact name="Not found since">{job.goneAt && <Instant at={job.goneAt} />}</Fact>
    </Facts>
  )
}

const JobProject = ({ job }: { job: JobKey }) => {
  const { connectionId, projectId } = job
  const known = useNamedProject(job)
  const refused = useRecordRefusal(job)
  const [editing, setEditing] = useState(false)
  return (
    <span className="inline-flex min-w-0 items-center">
      <span className="wrap-anywhere" title={projectId}>
        project <bdi>{known?.name ?? projectId}</bdi>
      </span>
      {refused === null && (
        <IconButton
          icon={Pencil}
          iconClass="size-3"
          className="size-6"
          label="Name this project"
          title="Name this project"
          onClick={() => setEditing(true)}
        />
      )}
      {editing && (
        <ProjectDialog
          project={known ?? { connectionId, projectId, name: null, isDefault: false }}
          onClose={() => setEditing(false)}
        />
      )}
    </span>
  )
}

const CheckJobButton = ({ job }: { job: AgentJob }) => {
  const { mutate, isPending } = useCheckJob()
  const refused = useRecordRefusal(job)
  const check = () => mutate(toJobKey(job), { onError: toastFailure('Could not check the job.') })
  return (
    <IconButton
      icon={RefreshCw}
      iconClass="size-3.5"
      className="size-7"
      label="Check this job now"
      title="Check now"
      busy={isPending}
      refused={refused}
      onClick={check}
    />
  )
}

const JobNote = ({ job }: { job: AgentJob }) => {
  const change = useChangeJobNote(toJobKey(job))
  return <RecordNote note={job.note ?? null} refused={useRecordRefusal(job)} save={change.mutateAsync} />
}

const LoadingJob = () => <Loading className="space-y-4" lines={['h-8 w-64', 'h-64 w-full']} />

const NotFollowedNotice = ({ jobKey }: { jobKey: JobKey }) => (
  <>
    <PageHeader title="This job is not on the list" />
    <p className="text-sm text-muted">
      Nobody added the job <code className="font-mono wrap-anywhere">{jobKey.id}</code> of project{' '}
      <code className="font-mono wrap-anywhere">{jobKey.projectId}</code>. Add it by its ID on the Agent jobs page.
    </p>
  </>
)

const JobHeader = ({ job }: { job: AgentJob }) => (
  <PageHeader title={formatJobTitle(job)}>
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2">
      <JobProject job={job} />
      {job.askedBy && (
        <span>
          asked by <bdi>{job.askedBy}</bdi>
        </span>
      )}
      <ConnectionMark record={job} />
    </span>
  </PageHeader>
)

type JobDetailsProps = { jobKey: JobKey; story: ReactNode; children: ReactNode }

export const JobDetails = ({ jobKey, story, children }: JobDetailsProps) => {
  const query = useQuery(jobQuery(jobKey, usePaused()))
  const { data: job, error } = query
  const readOnly = useReadOnly(job ?? {})
  useAnnouncedChanges(
    useMemo(() => job && [job], [job]),
    toJobId,
    describeJobChange,
  )
  if (!job && error instanceof ApiError && error.code === 'not_found') return <NotFollowedNotice jobKey={jobKey} />
  if (!job) return <ReadState query={query} waiting={<LoadingJob />} />
  return (
    <>
      <JobHeader job={job} />
      <div className="flex flex-col gap-4">
        <ReadState query={query} />
        <ReadOnlyNotice record={job} />
        {job.checkFailure && (
          <Notice tone="attention" title="The last check failed">
            {job.checkFailure.message} This is the last known state.
          </Notice>
        )}
        <NextStep job={job} />
        <DetailsColumns
          story={story}
          facts={
            <>
              <PullRequestPanel job={job} />
              <Panel title="Details">
                <JobFacts job={job} />
                <div className="mt-4 flex items-center justify-between gap-2 border-t border-line pt-2 -mb-2 text-xs">
                  <CheckedInFull record={job} live={canChangeByItself(job)} />
                  {readOnly === null && <CheckJobButton job={job} />}
                </div>
              </Panel>
              <JobNote job={job} />
            </>
          }
        >
          {children}
        </DetailsColumns>
      </div>
    </>
  )
}
