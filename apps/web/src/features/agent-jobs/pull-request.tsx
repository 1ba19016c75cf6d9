import type { AgentJob } from '@docket/api-types/agent-jobs'
import { use } from 'react'
import { buttonClass } from '#ui/button.tsx'
import { LineIcon } from '#ui/line-icon.tsx'
import { OutsideAddress } from '#ui/outside-address.ts'
import { pullRequestNumber, pullRequestState } from './pull-request-labels.ts'

/** Icon of a pull request. */
export const branchesPath =
  'M18 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM13 6h3a2 2 0 0 1 2 2v7M6 9v12'

/** Link to a job's pull request with its number and state, for a row. Plain text if the link is unsafe. */
export const PullRequest = ({ job, className }: { job: AgentJob; className: string }) => {
  const mapAddress = use(OutsideAddress)
  const { prLink } = job
  if (!prLink) return null
  if (!prLink.href)
    return (
      <span className={`truncate text-xs text-muted ${className}`} title={prLink.text}>
        {prLink.text}
      </span>
    )
  const number = pullRequestNumber(job)
  const word = pullRequestState(job).word.toLowerCase()
  return (
    <a
      href={mapAddress(prLink.href)}
      target="_blank"
      rel="noopener noreferrer"
      title={prLink.text}
      aria-label={`${prLink.label ?? 'Pull request'}, ${word} (opens in a new tab)`}
      className={`${buttonClass()} ${className}`}
    >
      <LineIcon path={branchesPath} />
      {/* The number identifies the pull request, so it is never cut off. */}
      <span className={number ? 'shrink-0' : 'truncate'}>{number ?? prLink.host}</span>
      <span className="truncate text-xs font-normal text-muted">{word}</span>
    </a>
  )
}
