import type { Status } from '@docket/api-types/status'
import { useListSearch } from '#app/search.ts'
import { useLocal } from '#features/connection/connection.queries.ts'
import { FollowForm } from '#features/agent-jobs/follow-form.tsx'
import { JobList } from '#features/agent-jobs/job-list.tsx'
import { buttonClass } from '#ui/button.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'
import { PageHeader } from '#ui/page-header.tsx'

const CreateJob = ({ local }: { local: NonNullable<Status['local']> }) => (
  <OutsideLink href={local.codeHostUrl} className={buttonClass()} title="On the pages of the embedded service">
    Create a job
  </OutsideLink>
)

const WhereJobsComeFrom = ({ local }: { local: NonNullable<Status['local']> }) => (
  <p className="max-w-md text-sm text-muted">
    Docket runs on local data: create a job on the{' '}
    <OutsideLink href={local.codeHostUrl}>pages of the embedded service</OutsideLink>
    {local.projectIds.length > 0 && (
      <>
        {' '}
        (project <code className="font-mono text-text">{local.projectIds.join(', ')}</code>)
      </>
    )}
    , then follow it here.
  </p>
)

/** Follow form on top, every followed job below. */
export const AgentJobsPage = () => {
  const [search, setSearch] = useListSearch()
  const local = useLocal()
  return (
    <>
      <PageHeader title="Agent jobs" actions={local && <CreateJob local={local} />}>
        Watched until the pull request is there.
      </PageHeader>
      <FollowForm projectIds={local?.projectIds ?? []} />
      <JobList search={search} onSearch={setSearch} whenEmpty={local && <WhereJobsComeFrom local={local} />} />
    </>
  )
}
