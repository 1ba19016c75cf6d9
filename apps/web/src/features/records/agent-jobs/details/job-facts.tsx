import type { AgentJob, AgentUsage } from '@docket/api-types/agent-jobs'
import type { UpstreamLink as Link } from '@docket/api-types/list'
import { isWorking } from '#features/records/agent-jobs/job-state.ts'
import { usuallyText } from '#lib/time/durations.ts'
import { formatCost, formatCount } from '#lib/text/format.ts'
import { OutsideLink } from '#ui/links/outside-link.tsx'
import { Copied, Fact, Facts } from '#ui/records/facts.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { Elapsed, Instant } from '#ui/live/ticking.tsx'

/** Address from the service: a link with its host, or plain text if it is unsafe. */
const UpstreamLink = ({ link }: { link: Link }) =>
  link.href === null ? (
    <span className="wrap-anywhere">{link.text}</span>
  ) : (
    <span>
      <OutsideLink href={link.href}>{link.label ?? link.host ?? link.text}</OutsideLink>
      {link.host && link.label && <span className="text-muted"> {link.host}</span>}
    </span>
  )

const formatTokens = ({ inputTokens, outputTokens }: AgentUsage): string =>
  [
    inputTokens !== null && `${formatCount(inputTokens)} in`,
    outputTokens !== null && `${formatCount(outputTokens)} out`,
  ]
    .filter(Boolean)
    .join(', ')

export const JobFacts = ({ job }: { job: AgentJob }) => {
  const { usage } = job
  const begun = job.startedAt ?? job.createdAt
  const over = !isWorking(job)
  return (
    <Facts>
      <Fact name="ID">
        <Copied text={job.id} label="Copy the ID" small />
      </Fact>
      <Fact name="Asked by">{job.askedBy && <bdi>{job.askedBy}</bdi>}</Fact>
      <Fact name="Repository">
        {job.source.repository ? <UpstreamLink link={job.source.repository} /> : 'Not reported'}
      </Fact>
      <Fact name="Branch">{job.source.ref && <Copied text={job.source.ref} label="Copy the branch" small />}</Fact>
      <Fact name="Model">{job.model}</Fact>
      <Fact name="Tokens">{usage && formatTokens(usage)}</Fact>
      <Fact name="Cost">{typeof usage?.costUsd === 'number' && formatCost(usage.costUsd)}</Fact>
      <Fact name="Created">{job.createdAt && <Instant at={job.createdAt} />}</Fact>
      <Fact name="Started">{job.startedAt && <Instant at={job.startedAt} />}</Fact>
      {job.meaning !== 'waiting' && (
        <Fact name={over ? 'Took' : 'Elapsed'}>
          {begun && (!over || job.finishedAt) && <Elapsed from={begun} to={job.finishedAt} />}
        </Fact>
      )}
      {begun && (!over || job.finishedAt) && usuallyText(job.usual, 'job') && (
        <Fact name="Compared">
          <Usual usual={job.usual} noun="job" from={job.createdAt ?? begun} to={job.finishedAt} />
        </Fact>
      )}
      <Fact name="Archived">{job.archivedAt && <Instant at={job.archivedAt} />}</Fact>
      <Fact name="Service says">{job.status && <code className="font-mono text-xs">{job.status}</code>}</Fact>
      <Fact name="Followed since">
        <Instant at={job.followedAt} />
      </Fact>
      <Fact name="Not found since">{job.goneAt && <Instant at={job.goneAt} />}</Fact>
    </Facts>
  )
}
