import type { AgentJob } from '@docket/api-types/agent-jobs'
import { buttonClass } from '#ui/buttons/button.tsx'
import { LineIcon } from '#ui/marks/line-icon.tsx'
import { Link } from '#ui/links/link.tsx'
import { pullRequestNumber, pullRequestState } from './pull-request-labels.ts'

/** Icon of a pull request. */
export const branchesPath =
  'M18 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM13 6h3a2 2 0 0 1 2 2v7M6 9v12'

/** Link to a job's pull request with its number and state, for a row. Plain text if the link is unsafe. */
export const PullRequest = ({ job, className }: { job: AgentJob; className: string }) => {
  const { prLink } = job
  if (!prLink) return null
  if (!prLink.href)
    return (
      <span className={`truncate text-xs text-muted ${className}`} title={prLink.text}>
        {prLink.text}
      </span>
    )
  const number = pullRequestNumber(job)
  // Contains the visible text.
  const name = number && prLink.label?.endsWith(number) ? prLink.label : `Pull request ${number ?? prLink.host}`
  const word = pullRequestState(job).word.toLowerCase()
  const look = { title: prLink.text, className: `${buttonClass()} ${className}` }
  const content = (
    <>
      <LineIcon path={branchesPath} />
      {/* The number identifies the pull request, so it is never cut off. */}
      <span className={number ? 'shrink-0' : 'truncate'}>{number ?? prLink.host ?? 'Pull request'}</span>{' '}
      <span className="truncate text-xs font-normal text-muted">{word}</span>
    </>
  )
  // Docket shows the pull requests of its own code host.
  return prLink.href.startsWith('/') ? (
    <Link to={prLink.href as '/'} aria-label={`${name} ${word}`} {...look}>
      {content}
    </Link>
  ) : (
    <a
      href={prLink.href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${name} ${word} (opens in a new tab)`}
      {...look}
    >
      {content}
    </a>
  )
}
