import type { AgentJob } from '@docket/api-types/agent-jobs'
import { GitPullRequest } from 'lucide-react'
import { buttonClass } from '#ui/button.tsx'
import { LineIcon } from '#ui/line-icon.tsx'
import { Link } from '#ui/link.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'

const NotALink = ({ text }: { text: string }) => (
  <p className="rounded-md border border-attention/35 bg-attention-soft px-3 py-2 text-xs">
    <span className="font-medium">Pull request, not a safe link:</span> <span className="wrap-anywhere">{text}</span>
  </p>
)

const branches = 'M18 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM13 6h3a2 2 0 0 1 2 2v7M6 9v12'

type PullRequestProps = { job: Pick<AgentJob, 'prLink'>; compact?: boolean; className?: string }

/** Link to the pull request with its host, or plain text if it is unsafe. `compact` omits the host. */
export const PullRequest = ({ job: { prLink }, compact = false, className = '' }: PullRequestProps) => {
  if (!prLink) return null
  if (!prLink.href)
    return compact ? (
      <span className={`truncate text-xs text-muted ${className}`} title={prLink.text}>
        {prLink.text}
      </span>
    ) : (
      <NotALink text={prLink.text} />
    )
  // The number identifies the pull request, so it is never cut off.
  const [name = '', number] = (prLink.label ?? 'Pull request').split('#')
  if (compact) {
    const look = { title: prLink.text, className: `${buttonClass()} ${className}` }
    const content = (
      <>
        <LineIcon path={branches} />
        <span className="-mr-2 truncate">{name}</span>
        {number && `#${number}`}
      </>
    )
    return prLink.href.startsWith('/') ? (
      <Link to={prLink.href as '/'} {...look}>
        {content}
      </Link>
    ) : (
      <a
        href={prLink.href}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`${prLink.label ?? 'Pull request'} (opens in a new tab)`}
        {...look}
      >
        {content}
      </a>
    )
  }
  return (
    <OutsideLink
      href={prLink.href}
      title={prLink.text}
      className={`${buttonClass({ variant: 'primary', size: 'md' })} max-w-full min-w-0`}
    >
      <GitPullRequest className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="flex min-w-0">
        <span className="truncate">{name}</span>
        {number && <span className="shrink-0">#{number}</span>}
      </span>
      {prLink.host && <span className="min-w-0 truncate font-normal opacity-90">on {prLink.host}</span>}
    </OutsideLink>
  )
}
