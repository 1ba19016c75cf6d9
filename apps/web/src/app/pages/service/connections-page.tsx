import { ProjectsSection } from '#features/records/agent-jobs/projects/projects-section.tsx'
import { ConnectionsList } from '#features/service/connections/settings/connections-list.tsx'

export const ConnectionsPage = () => (
  <div className="max-w-3xl space-y-8">
    <ConnectionsList />
    <ProjectsSection />
  </div>
)
