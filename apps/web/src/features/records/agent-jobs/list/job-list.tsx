import type { AgentJob, AgentJobGroup } from '@docket/api-types/agent-jobs'
import { useQuery } from '@tanstack/react-query'
import { GitPullRequest } from 'lucide-react'
import { lazy, useState, type ReactNode } from 'react'
import {
  printJobCsvPath,
  jobFiltersQuery,
  toJobId,
  jobListSource,
} from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { describeJobChange, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { useProjects } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { keepSupportedParams, type ListSearch } from '#lib/address/list-search.ts'
import { isolateText } from '#lib/text/format.ts'
import { EmptyState } from '#ui/layout/page.tsx'
import { ListFrame } from '#ui/list/list-frame.tsx'
import type { ListLook } from '#ui/live-list/live-rows.tsx'
import { JobHead, JobRow } from './job-row.tsx'

const groups: Record<AgentJobGroup, string> = {
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
const sorts = { '': 'Newest first', oldest: 'Oldest first', repository: 'By repository' }

export const jobSearch = (search: ListSearch) =>
  keepSupportedParams(search, { groups, sorts, fields: ['projectId', 'repository', 'model'] })

const JobBulk = lazy(() => import('./job-bulk.tsx').then((module) => ({ default: module.JobBulk })))
const RemovedJob = lazy(() => import('./removed-job.tsx').then((module) => ({ default: module.RemovedJob })))

const look: ListLook<AgentJob> = {
  heading: 'All jobs',
  one: 'job',
  record: 'agent job',
  active: 'working',
  getId: toJobId,
  head: <JobHead />,
  render: (job) => <JobRow job={job} />,
  renderRemoved: (job) => <RemovedJob job={job} />,
  formatName: (job) => isolateText(formatJobTitle(job)),
  describeChange: describeJobChange,
  bulk: JobBulk,
}

type JobListProps = {
  search: ListSearch
  onSearch: (change: Partial<ListSearch>) => void
  views: (place: 'bar' | 'folded') => ReactNode
  whenEmpty?: ReactNode
  empty?: ReactNode
  mayCreate?: boolean
}

export const JobList = ({ search: rawSearch, onSearch, views, whenEmpty, empty, mayCreate = false }: JobListProps) => {
  const search = jobSearch(rawSearch)
  const [choosing, setChoosing] = useState(false)
  const filters = useQuery({ ...jobFiltersQuery(search.connection), enabled: choosing }).data
  const projects = useProjects(search.connection).map(({ projectId, name }) =>
    name === null ? projectId : { value: projectId, label: name },
  )
  return (
    <ListFrame
      source={jobListSource(search)}
      search={search}
      onSearch={onSearch}
      filters={{
        what: 'agent jobs',
        groups,
        sorts,
        views,
        field: { name: 'repository', label: 'Repository', options: filters?.repositories },
        fields: [
          { name: 'projectId', label: 'Project', options: projects },
          { name: 'model', label: 'Model', options: filters?.models },
        ],
        onOptions: () => setChoosing(true),
      }}
      look={look}
      csvPath={printJobCsvPath(search)}
      empty={
        empty ?? (
          <EmptyState icon={<GitPullRequest strokeWidth={1.5} />} title="No agent jobs yet" action={whenEmpty}>
            An agent job works on a prompt in a repository and may open a pull request.{' '}
            {mayCreate ? 'Create one, or add one above.' : 'Add one above.'}
          </EmptyState>
        )
      }
    />
  )
}
