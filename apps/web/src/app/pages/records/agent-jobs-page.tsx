import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { replacesHistoryEntry, useListSearch } from '#app/address/use-list-search.ts'
import { headings } from '#app/titles/headings.ts'
import { MaintenanceForm } from '#features/overview/maintenance/maintenance-form.tsx'
import { ViewsMenu } from '#features/people/saved-views/views-menu.tsx'
import { FollowSection } from '#features/records/agent-jobs/follow/follow-section.tsx'
import { JobList, jobSearch } from '#features/records/agent-jobs/list/job-list.tsx'
import { NewJobDialog } from '#features/records/agent-jobs/prompts/new-job-dialog.tsx'
import { OpenRequests } from '#features/records/agent-jobs/prompts/open-requests.tsx'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { readStored, writeStored } from '#lib/state/store.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useNoService, useStartRefusal } from '#ui/connections/connections.tsx'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { AgentJobsHeader, useJobsAllowed } from './agent-jobs-header.tsx'

const CancelDialog = lazy(() =>
  import('#features/records/agent-jobs/actions/cancel-dialog.tsx').then((module) => ({ default: module.CancelDialog })),
)

const NewJobButton = ({ refused, onPress }: { refused: string | null; onPress: () => void }) => (
  <Button icon={Plus} variant="primary" data-hotkey="new" refused={refused} onClick={onPress}>
    New agent job
  </Button>
)

export const AgentJobsPage = () => {
  const search = useListSearch()
  const navigate = useNavigate()
  const local = useLocalService()
  const allowed = useJobsAllowed()
  const noPrompts = usePromptRefusal()
  // The embedded service also accepts maintenance orders, which are not prompts.
  const refused = useStartRefusal(true) ?? (local ? null : noPrompts)
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
      <AgentJobsHeader actions={create}>{headings['/agent-jobs'].about}</AgentJobsHeader>
      {!noService && <FollowSection projectIds={projectIds} />}
      <OpenRequests mayCreate={mayCreate && noPrompts === null} />
      <JobList
        search={search}
        views={(place) => <ViewsMenu list="agent-jobs" search={jobSearch(search)} place={place} />}
        onSearch={(change) =>
          void navigate({
            to: '/agent-jobs',
            search: jobSearch({ ...search, ...change }),
            replace: replacesHistoryEntry(change),
          })
        }
        empty={noService ? <NoService /> : undefined}
        whenEmpty={create}
        mayCreate={mayCreate}
      />
      <Suspense>
        <CancelDialog />
      </Suspense>
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
