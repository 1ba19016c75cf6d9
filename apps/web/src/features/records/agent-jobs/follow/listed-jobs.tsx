import type { ReactNode } from 'react'
import { toMessage } from '#lib/api/api-error.ts'
import { isolateText, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Spinner } from '#ui/marks/spinner.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import type { ListedJob, useListedJobs } from './listed-jobs.queries.ts'

export const ListedJobText = ({ job, failure }: { job: ListedJob; failure?: string | undefined }) => (
  <span className="min-w-0 flex-1 text-sm wrap-anywhere">
    <span dir="auto" className="block font-medium">
      {job.title ?? 'Untitled'}
    </span>
    <code className="block font-mono text-xs text-muted">{job.id}</code>
    {job.halted && (
      <span className="mt-0.5 line-clamp-3 text-xs text-attention">
        Halted{job.haltReason === null ? ', no reason given' : `: ${isolateText(job.haltReason)}`}
      </span>
    )}
    {job.messageToUser && (
      <span dir="auto" className="mt-0.5 line-clamp-2 text-xs text-muted">
        {job.messageToUser}
      </span>
    )}
    {failure && <span className="mt-0.5 block text-xs text-failed">{failure}</span>}
  </span>
)

type ListedJobsProps = { list: ReturnType<typeof useListedJobs>; projectId: string; row: (job: ListedJob) => ReactNode }

export const ListedJobs = ({ list: { jobs, skipped, error, busy, more, again }, projectId, row }: ListedJobsProps) => (
  <div className="flex flex-col gap-3">
    {jobs !== null && jobs.length > 0 && (
      <ul
        aria-label={`Jobs of ${projectId}`}
        className="max-h-[40dvh] divide-y divide-line overflow-y-auto rounded-md border border-line"
        tabIndex={0}
      >
        {jobs.map((job) => (
          <li key={job.id}>{row(job)}</li>
        ))}
      </ul>
    )}
    <div role="status" className="text-sm text-muted empty:hidden">
      {jobs?.length === 0 && !busy && `No jobs in ${projectId}.`}
      {jobs === null && busy && (
        <span className="flex items-center gap-2">
          <Spinner /> Loading jobs…
        </span>
      )}
      {skipped > 0 && `Left out ${formatPlural(skipped, 'entry', 'entries')} that cannot be read.`}
    </div>
    {error && (
      <Notice
        tone="failed"
        role="alert"
        title="Could not load the list"
        action={<Button onClick={again}>Try again</Button>}
      >
        {toMessage(error)}
      </Notice>
    )}
    {more && !error && (
      <Button className="self-start" busy={busy} onClick={more}>
        Show more
      </Button>
    )}
  </div>
)
