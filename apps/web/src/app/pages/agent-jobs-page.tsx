import type { Status } from '@docket/api-types/status'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { headings } from '#app/headings.ts'
import { replacesEntry, useListSearch } from '#app/use-list-search.ts'
import { useLocal, usePromptsAllowed } from '#features/connection/connection.queries.ts'
import { NoService } from '#features/connection/no-service.tsx'
import { FollowForm } from '#features/agent-jobs/follow/follow-form.tsx'
import { JobList, jobSearch } from '#features/agent-jobs/job-list.tsx'
import { NewJobDialog } from '#features/agent-jobs/prompts/new-job-dialog.tsx'
import { OpenRequests } from '#features/agent-jobs/prompts/open-requests.tsx'
import { MaintenanceForm } from '#features/maintenance/maintenance-form.tsx'
import { readStored, writeStored } from '#lib/storage.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'
import { ViewsMenu } from '#features/saved-views/views-menu.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { isActive } from '#lib/connections.ts'
import { useConnections, useNoService, useStartRefusal } from '#ui/connections/use-connections.ts'

const { title, about } = headings['/agent-jobs']

type Local = NonNullable<Status['local']>

const ServicePages = ({ local, children }: { local: Local; children: string }) => (
  <OutsideLink href={local.codeHostUrl} className={buttonClass()} title="Opens the embedded code host">
    {children}
  </OutsideLink>
)

const WhereJobsComeFrom = ({ local }: { local: Local }) => (
  <p className="max-w-md text-sm text-muted">
    Docket runs on local data. Create a job on the{' '}
    <OutsideLink href={local.codeHostUrl}>embedded code host</OutsideLink>
    {local.projectIds.length > 0 && (
      <>
        {' '}
        (project <code className="font-mono text-text">{local.projectIds.join(', ')}</code>)
      </>
    )}
    , then follow it here.
  </p>
)

const NewJobButton = ({ refused, onPress }: { refused: string | null; onPress: () => void }) => (
  <Button refused={refused} onClick={onPress}>
    <Plus className="size-4" aria-hidden="true" />
    New agent job
  </Button>
)

/** Follow form on top, requests without an answer, every followed job below. */
export const AgentJobsPage = () => {
  const search = useListSearch()
  const navigate = useNavigate()
  const local = useLocal()
  const anyCreates = useConnections()?.some((one) => isActive(one) && one.agentJobCreation)
  const before = usePromptsAllowed()
  const allowed = anyCreates ?? before
  const refused = useStartRefusal(true)
  const noService = useNoService()
  const mayCreate = allowed && refused === null
  // A reload must not hide a draft.
  const [creating, setCreating] = useState(() => readStored('session', 'new-job-open') !== null)
  const show = (open: boolean) => {
    setCreating(open)
    writeStored('session', 'new-job-open', open ? 'open' : null)
  }
  const projectIds = local?.projectIds ?? []
  const create = allowed && <NewJobButton refused={refused} onPress={() => show(true)} />
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            {local && <ServicePages local={local}>{allowed ? 'Code host' : 'Create a job'}</ServicePages>}
            {create}
          </>
        }
      >
        {about}
      </PageHeader>
      {!noService && <FollowForm projectIds={projectIds} />}
      <OpenRequests mayCreate={mayCreate} />
      <JobList
        search={search}
        views={<ViewsMenu list="agent-jobs" search={jobSearch(search)} />}
        onSearch={(change) =>
          void navigate({
            to: '/agent-jobs',
            search: jobSearch({ ...search, ...change }),
            replace: replacesEntry(change),
          })
        }
        empty={noService ? <NoService /> : undefined}
        whenEmpty={create || (local && <WhereJobsComeFrom local={local} />)}
        mayCreate={mayCreate}
      />
      <NewJobDialog
        open={creating && mayCreate}
        onClose={() => show(false)}
        projectIds={projectIds}
        agent={local ? { configured: local.agent?.configured ?? true } : null}
        maintenance={(target) => <MaintenanceForm {...target} />}
      />
    </>
  )
}
