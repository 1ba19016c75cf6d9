import type { AgentJob } from '@docket/api-types/agent-jobs'
import { toJobKey, useMarkPullRequest } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { labelPullRequestState } from '#features/records/agent-jobs/pull-requests/pull-request-labels.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordRefusal } from '#ui/connections/connections.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { OutsideLink } from '#ui/links/outside-link.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'
import { toastFailure } from '#ui/messages/toast.ts'
import { Fact, Facts } from '#ui/records/facts.tsx'

const checkLabels: Record<'passing' | 'failing' | 'pending', { tone: Tone; word: string }> = {
  passing: { tone: 'done', word: 'Passing' },
  failing: { tone: 'failed', word: 'Failing' },
  pending: { tone: 'waiting', word: 'Running' },
}

const sources = { service: 'From the service', code_host: 'From the code host', person: 'Marked by a person' }

const PullRequestSource = ({ job: { pullRequest, prLink } }: { job: AgentJob }) =>
  pullRequest?.knownFrom ? (
    <p className="text-xs text-muted">
      {sources[pullRequest.knownFrom]}
      {pullRequest.checkedAt && (
        <>
          , <Ago at={pullRequest.checkedAt} />
        </>
      )}
    </p>
  ) : pullRequest?.problem ? null : (
    <p className="text-xs text-muted">
      Docket has no token for {prLink?.host ? <bdi>{prLink.host}</bdi> : 'this code host'}. With one, it shows state,
      checks and conflicts.
    </p>
  )

const MarkPullRequest = ({ job }: { job: AgentJob }) => {
  const { mutate, isPending, variables } = useMarkPullRequest(toJobKey(job))
  const refused = useRecordRefusal(job)
  const mark = (state: 'merged' | 'closed' | null) =>
    mutate(state, { onError: toastFailure('Could not mark the pull request.') })
  const { knownFrom } = job.pullRequest ?? {}
  if (knownFrom === 'service' || knownFrom === 'code_host') return null
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {knownFrom === 'person' ? (
        <Button refused={refused} busy={isPending} onClick={() => mark(null)}>
          Take it back
        </Button>
      ) : (
        <>
          <Button refused={refused} busy={isPending && variables === 'merged'} onClick={() => mark('merged')}>
            Mark as merged
          </Button>
          <Button refused={refused} busy={isPending && variables === 'closed'} onClick={() => mark('closed')}>
            Mark as closed
          </Button>
        </>
      )}
    </div>
  )
}

export const PullRequestPanel = ({ job }: { job: AgentJob }) => {
  const { prLink, pullRequest } = job
  if (!prLink) return null
  const { tone, word } = labelPullRequestState(job)
  const checks = pullRequest?.checks && checkLabels[pullRequest.checks]
  return (
    <Panel title="Pull request" action={<StateLabel tone={tone}>{word}</StateLabel>}>
      {pullRequest?.title && pullRequest.title !== formatJobTitle(job) && (
        <p dir="auto" className="mb-1 text-sm font-medium wrap-anywhere">
          {pullRequest.title}
        </p>
      )}
      <p className="mb-2 text-sm wrap-anywhere">
        {prLink.href === null ? (
          <>
            <span className="font-medium">Not a safe link:</span> {prLink.text}
          </>
        ) : (
          <>
            <OutsideLink href={prLink.href}>{prLink.label ?? prLink.host ?? prLink.text}</OutsideLink>
            {prLink.label && prLink.host && <span className="text-muted"> on {prLink.host}</span>}
          </>
        )}
      </p>
      {(checks || typeof pullRequest?.mergeable === 'boolean') && (
        <div className="mb-2">
          <Facts>
            <Fact name="Checks">{checks && <StateLabel tone={checks.tone}>{checks.word}</StateLabel>}</Fact>
            <Fact name="Conflicts">
              {pullRequest?.mergeable === true && 'None'}
              {pullRequest?.mergeable === false && (
                <StateLabel tone="attention">Conflicts with its base branch</StateLabel>
              )}
            </Fact>
          </Facts>
        </div>
      )}
      {prLink.href !== null && <PullRequestSource job={job} />}
      {pullRequest?.problem && (
        <p className="mt-1 text-sm wrap-anywhere">
          Could not be read: <bdi>{pullRequest.problem}</bdi>
        </p>
      )}
      {prLink.href !== null && job.actions && <MarkPullRequest job={job} />}
    </Panel>
  )
}
