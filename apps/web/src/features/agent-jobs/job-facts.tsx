import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { UpstreamLink as Link } from '@docket/api-types/list'
import { usuallyText } from '#lib/durations.ts'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'
import { Elapsed, Instant } from '#ui/ticking.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { isWorking } from './job-state.ts'

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

/** Everything the service reports about a job. */
export const JobFacts = ({ job }: { job: AgentJob }) => (
  <Facts>
    <Fact name="Repository">
      {job.source.repository ? <UpstreamLink link={job.source.repository} /> : 'Not reported'}
    </Fact>
    <Fact name="Branch">{job.source.ref && <code className="font-mono text-xs">{job.source.ref}</code>}</Fact>
    <Fact name="Model">{job.model}</Fact>
    <Fact name="Created">{job.createdAt && <Instant at={job.createdAt} />}</Fact>
    <Fact name={isWorking(job) ? 'Elapsed' : 'Took'}>
      {job.createdAt && (isWorking(job) || job.finishedAt) && <Elapsed from={job.createdAt} to={job.finishedAt} />}
    </Fact>
    {job.createdAt && (isWorking(job) || job.finishedAt) && usuallyText(job.usual, 'job') && (
      <Fact name="Compared">
        <Usual usual={job.usual} noun="job" from={job.createdAt} to={job.finishedAt} />
      </Fact>
    )}
    <Fact name="Archived">{job.archivedAt && <Instant at={job.archivedAt} />}</Fact>
    <Fact name="Pull request">{job.prLink ? <UpstreamLink link={job.prLink} /> : 'None reported'}</Fact>
    <Fact name="Service says">{job.status && <code className="font-mono text-xs">{job.status}</code>}</Fact>
    <Fact name="Followed since">
      <Instant at={job.followedAt} />
    </Fact>
    <Fact name="Not found since">{job.goneAt && <Instant at={job.goneAt} />}</Fact>
  </Facts>
)
