import type { AgentJob } from '@docket/api-types/agent-jobs'
import { usuallyText } from '#lib/durations.ts'
import { Fact, Facts } from '#ui/facts.tsx'
import { Elapsed, Instant } from '#ui/ticking.tsx'
import { Usual } from '#ui/usual.tsx'
import { isWorking } from './job-state.ts'
import { UpstreamLink } from './upstream-link.tsx'

/** All fields that the service reports about a job. */
export const JobFacts = ({ job, all = false }: { job: AgentJob; all?: boolean }) => (
  <Facts>
    <Fact name="Repository">
      {job.source.repository ? <UpstreamLink link={job.source.repository} /> : 'not reported'}
    </Fact>
    <Fact name="Branch">{job.source.ref && <code className="font-mono text-xs">{job.source.ref}</code>}</Fact>
    <Fact name="Model">{job.model}</Fact>
    <Fact name="Created">{job.createdAt && <Instant at={job.createdAt} />}</Fact>
    <Fact name={isWorking(job) ? 'Elapsed' : 'Took'}>
      {job.createdAt && (isWorking(job) || job.finishedAt) && <Elapsed from={job.createdAt} to={job.finishedAt} />}
    </Fact>
    {all && job.createdAt && (isWorking(job) || job.finishedAt) && usuallyText(job.usual, 'job') && (
      <Fact name="Compared">
        <Usual usual={job.usual} noun="job" from={job.createdAt} to={job.finishedAt} />
      </Fact>
    )}
    <Fact name="Archived">{job.archivedAt && <Instant at={job.archivedAt} />}</Fact>
    {all && (
      <>
        <Fact name="Pull request">{job.prLink ? <UpstreamLink link={job.prLink} /> : 'none reported'}</Fact>
        <Fact name="Service says">{job.status && <code className="font-mono text-xs">{job.status}</code>}</Fact>
        <Fact name="Followed since">
          <Instant at={job.followedAt} />
        </Fact>
        <Fact name="Gone since">{job.goneAt && <Instant at={job.goneAt} />}</Fact>
      </>
    )}
  </Facts>
)
