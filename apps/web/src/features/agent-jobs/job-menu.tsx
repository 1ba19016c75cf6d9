import type { AgentJob } from '@docket/api-types/agent-jobs'
import { isolate } from '#lib/text/bidi.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { JobCommands } from './job-commands.tsx'
import { formatJobTitle } from './job-title.ts'

type JobMenuProps = { job: AgentJob; onPage?: boolean; className?: string }

/** Menu of a followed job. */
export const JobMenu = ({ job, onPage = false, className = '' }: JobMenuProps) => (
  <Menu label={`More for ${isolate(formatJobTitle(job))}`} className={className}>
    <JobCommands job={job} onPage={onPage} />
  </Menu>
)
