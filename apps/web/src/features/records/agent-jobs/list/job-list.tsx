import type { AgentJob, AgentJobGroup } from '@docket/api-types/agent-jobs'
import { useQuery } from '@tanstack/react-query'
import { GitPullRequest } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { jobCsvPath, jobFiltersQuery, toJobId, jobListSource } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { describeJobChange, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { useProjects } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { keepSupported, type ListSearch } from '#lib/address/list-search.ts'
import { isolate } from '#lib/text/bidi.ts'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { ListFrame } from '#ui/list/list-frame.tsx'
import { loadedRows } from '#ui/live-list/pages.ts'
import { useLiveList } from '#ui/live-list/use-live-list.ts'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { SelectBox } from '#ui/selection/select-box.tsx'
import { JobRow } from './job-row.tsx'

const groupNames: Record<AgentJobGroup, string> = {
  working: 'Working',
  pull_request_ready: 'Ready for review',
  merged: 'Merged',
  closed: 'Closed',
  no_pull_request: 'No pull request',
  failed: 'Failed',
  cancelled: 'Cancelled',
  archived: 'Archived',
  gone: 'Not found on service',
}
const groups = Object.entries(groupNames).map(([value, label]) => ({ value, label }))
const sortNames = { '': 'Newest first', oldest: 'Oldest first', repository: 'By repository' }
const sorts = Object.entries(sortNames).map(([value, label]) => ({ value, label }))
const searchOptions = {
  groups: groupNames,
  sorts: sortNames,
  fields: ['projectId', 'repository', 'model'],
} as const

export const jobSearch = (search: ListSearch) => keepSupported(search, searchOptions)

const JobBulk = lazy(() => import('./job-bulk.tsx').then((module) => ({ default: module.JobBulk })))
const RemovedJob = lazy(() => import('./removed-job.tsx').then((module) => ({ default: module.RemovedJob })))

const formatName = (job: AgentJob) => isolate(formatJobTitle(job))

const render = (job: AgentJob) =>
  job.removedAt ? (
    <Suspense fallback={<div className="min-h-18" />}>
      <RemovedJob job={job} />
    </Suspense>
  ) : (
    <>
      <SelectBox id={toJobId(job)} name={`agent job ${formatName(job)}`} record={job} />
      <JobRow job={job} />
    </>
  )

type JobListProps = {
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  views: ReactNode
  whenEmpty?: ReactNode
  empty?: ReactNode
  mayCreate?: boolean
}

export const JobList = ({ search: rawSearch, onSearch, views, whenEmpty, empty, mayCreate = false }: JobListProps) => {
  const search = jobSearch(rawSearch)
  const list = useLiveList(jobListSource(search))
  const { data } = list
  const jobs = useMemo(() => loadedRows(data), [data])
  useAnnouncedChanges(jobs, toJobId, describeJobChange)
  const [choosing, setChoosing] = useState(false)
  const filters = useQuery({ ...jobFiltersQuery(search.connection), enabled: choosing }).data
  const projects = useProjects(search.connection).map(({ projectId, name }) =>
    name === null ? projectId : { value: projectId, label: name },
  )
  return (
    <ListFrame
      list={list}
      search={search}
      onSearch={onSearch}
      filters={{
        what: 'agent jobs',
        groups,
        sorts,
        views,
        fields: [
          { name: 'projectId', label: 'Project', options: projects },
          { name: 'repository', label: 'Repository', options: filters?.repositories },
          { name: 'model', label: 'Model', options: filters?.models },
        ],
        onOptions: () => setChoosing(true),
      }}
      look={{
        heading: 'Followed jobs',
        one: 'job',
        active: 'working',
        getId: toJobId,
        render,
        formatName,
        bulk: JobBulk,
        csvPath: jobCsvPath(search),
        empty: empty ?? (
          <EmptyState icon={<GitPullRequest strokeWidth={1.5} />} title="No agent jobs yet" action={whenEmpty}>
            An agent job works on a prompt in a repository and may open a pull request.{' '}
            {mayCreate ? 'Create one, or follow one above.' : 'Follow one above.'}
          </EmptyState>
        ),
      }}
    />
  )
}
