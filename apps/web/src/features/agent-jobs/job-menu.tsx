import type { AgentJob } from '@docket/api-types/agent-jobs'
import { isolate } from '#lib/bidi.ts'
import { lazyLater } from '#ui/lazy-later.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { formatJobTitle } from './job-title.ts'

const JobCommands = lazyLater(async () => (await import('./job-commands.tsx')).JobCommands)

type JobMenuProps = { job: AgentJob; onPage?: boolean; className?: string }

/** Menu of a followed job. */
export const JobMenu = ({ job, onPage = false, className = '' }: JobMenuProps) => (
  <Menu label={`More for ${isolate(formatJobTitle(job))}`} className={className}>
    <JobCommands job={job} onPage={onPage} />
  </Menu>
)
