import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { GitPullRequest } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { formatPlural } from '#lib/format.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { FilterField } from '#ui/filter-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useStableRows } from '#ui/stable-rows.ts'
import { StaleNotice } from '#ui/stale-notice.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { jobListQuery } from './agent-jobs.queries.ts'
import { useJobAnnouncements } from './job-announcements.ts'
import { JobCard } from './job-card.tsx'
import { jobState } from './job-state.ts'

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))]'

const matches = (job: AgentJob, filter: string) =>
  [
    job.projectId,
    job.id,
    jobState(job).word,
    job.status,
    job.model,
    job.source.ref,
    job.source.repository?.text,
    job.prLink?.text,
  ]
    .join(' ')
    .toLowerCase()
    .includes(filter.trim().toLowerCase())

const Loading = () => (
  <ul className={grid} aria-busy="true" aria-label="Loading agent jobs">
    {[0, 1, 2].map((card) => (
      <li key={card} className="panel h-66 space-y-3 p-4">
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-4 w-52" />
        <Skeleton className="mt-6 h-24 w-full" />
        <Skeleton className="h-8 w-40" />
      </li>
    ))}
  </ul>
)

const idOf = (job: AgentJob) => JSON.stringify([job.projectId, job.id])

const Cards = ({ jobs }: { jobs: readonly AgentJob[] }) => {
  const { places, waiting, release, hold } = useStableRows(jobs, idOf)
  return (
    <div className="relative">
      {waiting > 0 && (
        <div className="absolute inset-x-0 -top-4 z-10 flex justify-center">
          <Button onClick={release} className="shadow-float">{`Show ${formatPlural(waiting, 'new job')}`}</Button>
        </div>
      )}
      <ul className={grid} aria-label="Agent jobs" {...hold}>
        {places.map(({ id, row, last }) => (
          <li key={id}>
            {row ? (
              <JobCard job={row} />
            ) : (
              <p className="panel h-full border-dashed p-4 text-sm text-muted">{last.id} is no longer followed</p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

type JobListProps = { filter: string; onFilter: (filter: string) => void; whenEmpty?: ReactNode }

/** All followed jobs, newest first, kept fresh, with a filter over the loaded ones. */
export const JobList = ({ filter, onFilter, whenEmpty }: JobListProps) => {
  const { data, error, dataUpdatedAt, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    jobListQuery(usePaused()),
  )
  const jobs = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  const shown = useMemo(() => jobs?.filter((job) => matches(job, filter)), [jobs, filter])
  useJobAnnouncements(jobs)
  const counts = data?.pages[0]?.counts
  return (
    <section aria-labelledby="jobs-heading" className="mt-7">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="jobs-heading" className="text-base font-semibold">
          Followed jobs
          {counts && (
            <span className="ml-2 font-normal text-muted">
              {counts.all}
              {counts.active > 0 && `, ${counts.active} working`}
            </span>
          )}
        </h2>
        {jobs && jobs.length > 0 && <FilterField label="Filter agent jobs" value={filter} onChange={onFilter} />}
      </div>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!shown && !error && <Loading />}
      {jobs?.length === 0 && (
        <div className="panel">
          <EmptyState icon={<GitPullRequest strokeWidth={1.5} />} title="No jobs are followed yet" action={whenEmpty}>
            An agent job works on a prompt in a repository and may open a pull request. Name one above and Docket
            watches it until the pull request is there.
          </EmptyState>
        </div>
      )}
      {shown && shown.length > 0 && <Cards jobs={shown} />}
      {jobs && jobs.length > 0 && shown?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">
          None of the {formatPlural(jobs.length, 'loaded job')} matches “{filter}”.
        </p>
      )}
      {hasNextPage && (
        <div className="mt-4 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </section>
  )
}
