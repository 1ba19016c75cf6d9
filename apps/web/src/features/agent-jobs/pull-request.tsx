import type { AgentJob } from '@docket/api-types/agent-jobs'
import { GitPullRequest } from 'lucide-react'
import { buttonClass } from '#ui/button.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'

/** The pull request as the thing to do next: a link with its host (left out when `compact`), or its text when it is not safe to follow. */
export const PullRequest = ({ job, compact = false }: { job: Pick<AgentJob, 'prLink'>; compact?: boolean }) => {
  const link = job.prLink
  if (!link) return null
  if (!link.href)
    return (
      <p className="rounded-md border border-attention/35 bg-attention-soft px-3 py-2 text-xs">
        <span className="font-medium">Pull request, not a safe link:</span>{' '}
        <span className="wrap-anywhere">{link.text}</span>
      </p>
    )
  return (
    <OutsideLink href={link.href} className={`${buttonClass({ variant: 'primary' })} max-w-full self-start`}>
      <GitPullRequest className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="truncate">{link.label ?? 'Pull request'}</span>
      {!compact && <span className="min-w-0 truncate font-normal opacity-90">on {link.host}</span>}
    </OutsideLink>
  )
}
