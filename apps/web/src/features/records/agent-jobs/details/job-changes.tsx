import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { Changes } from '@docket/api-types/changes'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { changesQuery, toJobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { ApiError, toMessage } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordConnection } from '#ui/connections/connections.tsx'
import { Skeleton } from '#ui/layout/page.tsx'

const useHasComeIntoView = () => {
  const ref = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !ref.current) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '200px',
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [seen])
  return { ref, seen }
}

type JobChangesProps = { job: AgentJob; render: (changes: Changes) => ReactNode }

const LoadedChanges = ({ job, render }: JobChangesProps) => {
  const { data, error, isFetching, refetch } = useQuery(changesQuery(toJobKey(job), job.finishedAt))
  if (data) return <Suspense fallback={<Skeleton className="h-40 w-full" />}>{render(data)}</Suspense>
  if (!error) return <Skeleton className="h-40 w-full" />
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-sm text-muted">
      <p role="alert">{toMessage(error)}</p>
      {!(error instanceof ApiError && error.code === 'not_found') && (
        <Button busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Commits and diff of a job, loaded when they come into view. Renders nothing for a job without changes. */
export const JobChanges = (props: JobChangesProps) => {
  const { ref, seen } = useHasComeIntoView()
  const connection = useRecordConnection(props.job)
  // Only the embedded service has them.
  if (connection?.kind !== 'embedded' || !props.job.diffStat?.files) return null
  return (
    <section ref={ref} aria-label="Changes">
      {seen ? <LoadedChanges {...props} /> : <Skeleton className="h-40 w-full" />}
    </section>
  )
}
