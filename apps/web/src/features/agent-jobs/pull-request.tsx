import type { AgentJob } from '@docket/api-types/agent-jobs'
import { GitPullRequest } from 'lucide-react'
import { buttonClass } from '#ui/button.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'

const NotALink = ({ text, compact }: { text: string; compact: boolean }) =>
  compact ? (
    <span className="truncate text-xs text-muted" title={text}>
      {text}
    </span>
  ) : (
    <p className="rounded-md border border-attention/35 bg-attention-soft px-3 py-2 text-xs">
      <span className="font-medium">Pull request, not a safe link:</span> <span className="wrap-anywhere">{text}</span>
    </p>
  )

/** The pull request as the thing to do next: a link with its host (left out when `compact`), or its text when it is not safe to follow. */
export const PullRequest = ({
  job: { prLink },
  compact = false,
}: {
  job: Pick<AgentJob, 'prLink'>
  compact?: boolean
}) => {
  if (!prLink) return null
  if (!prLink.href) return <NotALink text={prLink.text} compact={compact} />
  // The number is what tells one pull request from another, so it is never cut off.
  const [name = '', number] = (prLink.label ?? 'Pull request').split('#')
  return (
    <OutsideLink
      href={prLink.href}
      title={prLink.text}
      className={`${buttonClass({ variant: 'primary' })} max-w-full self-start`}
    >
      <GitPullRequest className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="flex min-w-0">
        <span className="truncate">{name}</span>
        {number && <span className="shrink-0">#{number}</span>}
      </span>
      {!compact && <span className="min-w-0 truncate font-normal opacity-90">on {prLink.host}</span>}
    </OutsideLink>
  )
}
