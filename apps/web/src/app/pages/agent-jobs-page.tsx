import type { Status } from '@docket/api-types/status'
import { getRouteApi } from '@tanstack/react-router'
import { useStatus } from '#features/connection/connection.queries.ts'
import { FollowForm } from '#features/agent-jobs/follow-form.tsx'
import { JobList } from '#features/agent-jobs/job-list.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'
import { PageHeader } from '#ui/page-header.tsx'

const route = getRouteApi('/agent-jobs')

const WhereJobsComeFrom = ({ local }: { local: NonNullable<Status['local']> }) => (
  <p className="mt-3 text-sm text-muted">
    Docket runs on local data: create a job on the{' '}
    <OutsideLink href={local.codeHostUrl}>embedded code host</OutsideLink>, then follow it here
    {local.projectIds[0] && (
      <>
        {' '}
        (project id <code className="font-mono text-text">{local.projectIds.join(', ')}</code>)
      </>
    )}
    .
  </p>
)

/** Follow form on top, a card for every followed job below. */
export const AgentJobsPage = () => {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useStatus()
  return (
    <>
      <PageHeader title="Agent jobs">Watched until the pull request is there.</PageHeader>
      <FollowForm projectIds={data?.local?.projectIds ?? []} />
      {data?.local && <WhereJobsComeFrom local={data.local} />}
      <JobList filter={q} onFilter={(next) => void navigate({ search: next ? { q: next } : {}, replace: true })} />
    </>
  )
}
