import type { AgentJob } from '@docket/api-types/agent-jobs'
import { formatJobTitle } from '#features/records/agent-jobs/job-title.ts'
import { isolate } from '#lib/text/bidi.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { JobCommands } from './job-commands.tsx'

type JobMenuProps = { job: AgentJob; onPage?: boolean; className?: string }

export const JobMenu = ({ job, onPage = false, className = '' }: JobMenuProps) => (
  <Menu label={`More for ${isolate(formatJobTitle(job))}`} className={className}>
    <JobCommands job={job} onPage={onPage} />
  </Menu>
)
