import { buildRecordLink } from '#app/address/record-link.ts'
import { ProjectsSection } from '#features/records/agent-jobs/projects/projects-section.tsx'
import { ConnectionsList } from '#features/service/connections/settings/connections-list.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'

export const ConnectionsPage = () => {
  const isAdmin = useRefusal('admin') === null
  return (
    <div className="space-y-8">
      <ConnectionsList linkTo={buildRecordLink} />
      {isAdmin && <ProjectsSection />}
    </div>
  )
}
