import type { AgentJobKey, AgentJobPullRequest } from '@docket/api-types/agent-jobs'
import { and, eq, isNull, sql, type SQL, desc } from 'drizzle-orm'
import { listPullRequestEvents } from '#records/agent-jobs/agent-jobs.history.ts'
import { countJobChange, isJob, type JobKey, recordJobEvents } from '#records/agent-jobs/agent-jobs.rows.ts'
import { agentJobs, hasReadPullRequest } from '#records/agent-jobs/agent-jobs.table.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { countChange } from '#ground/db/revision.ts'
import { pullRequestReads } from './pull-request-reads.table.ts'
import type { AgentJobRow } from '#records/agent-jobs/agent-jobs.state.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'

/** Also reports why the code host is not answering. Null when there is no problem. */
export const readPullRequestProblem = async (tx: Tx, row: AgentJobRow): Promise<string | null> => {
  const { connectionId, projectId, id, prLink, pullRequestKnownFrom } = row
  if (prLink === null || pullRequestKnownFrom === 'service') return null
  const reads = pullRequestReads
  const [found] = await tx
    .select({ problem: sql<string | null>`coalesce(${reads.problem}, ${codeHosts.problem})` })
    .from(codeHosts)
    .leftJoin(
      reads,
      and(
        eq(reads.connectionId, codeHosts.connectionId),
        eq(reads.projectId, projectId),
        eq(reads.id, id),
        eq(reads.link, prLink),
      ),
    )
    .where(and(eq(codeHosts.connectionId, connectionId), sql`starts_with(${prLink}, ${codeHosts.url} || '/')`))
    .orderBy(desc(sql`length(${codeHosts.url})`))
    .limit(1)
  return found?.problem ?? null
}

export type ClaimedPullRequest = JobKey & { link: string; readyAt: Date | null; failures: number }

export type ReadPullRequest = Pick<AgentJobPullRequest, 'checks' | 'mergeable'> & {
  number: number
  title: string
  state: NonNullable<AgentJobPullRequest['state']>
}

/** A lease lasts longer than any read. Afterwards any replica may read the pull request. Milliseconds. */
const leaseMs = 3 * 60_000
/** Viewing a job causes another read only after this time. Milliseconds. */
const viewedMs = 60_000
/** A second click within this time returns the result of the first click's read. Milliseconds. */
const clickMs = 5_000
const maxTitleLength = 300

const unknown = {
  pullRequestState: null,
  pullRequestChecks: null,
  pullRequestMergeable: null,
  pullRequestKnownFrom: null,
}

const matchesRead = ({ connectionId, projectId, id }: JobKey) =>
  and(
    eq(pullRequestReads.connectionId, connectionId),
    eq(pullRequestReads.projectId, projectId),
    eq(pullRequestReads.id, id),
  )

const linkStartsWith = (link: SQL | typeof agentJobs.prLink | typeof pullRequestReads.link, url: string) =>
  sql`starts_with(${link}, ${`${url}/`})`

type Row = { project_id: string; id: string; link: string; ready_at: Date | string | null; failures: number }

const claimPullRequest = async (db: Database, connectionId: string, now: number, which: SQL, isFree: SQL) => {
  const reads = pullRequestReads
  const { rows } = await db.execute<Row>(sql`
    insert into ${reads} (connection_id, project_id, id, link, ready_at, due_at)
    select ${agentJobs.connectionId}, ${agentJobs.projectId}, ${agentJobs.id}, ${agentJobs.prLink},
        ${agentJobs.finishedAt}, ${new Date(now + leaseMs)}
      from ${agentJobs} left join ${reads} on ${and(
        eq(reads.connectionId, agentJobs.connectionId),
        eq(reads.projectId, agentJobs.projectId),
        eq(reads.id, agentJobs.id),
      )}
      where ${agentJobs.connectionId} = ${connectionId} and ${which} and (${reads.id} is null or ${isFree}
        or ${reads.link} <> ${agentJobs.prLink} or ${reads.readyAt} is distinct from ${agentJobs.finishedAt})
      order by ${reads.dueAt} nulls first limit 1
    on conflict (connection_id, project_id, id) do update set
      link = excluded.link, ready_at = excluded.ready_at, due_at = excluded.due_at,
      failures = case when ${reads.link} = excluded.link then ${reads.failures} else 0 end
      where ${isFree} or ${reads.link} <> excluded.link or ${reads.readyAt} is distinct from excluded.ready_at
    returning project_id, id, link, ready_at, failures`)
  const [row] = rows
  if (row === undefined) return null
  const { project_id: projectId, id, link, failures } = row
  const readyAt = row.ready_at === null ? null : new Date(row.ready_at)
  return { connectionId, projectId, id, link, readyAt, failures } satisfies ClaimedPullRequest
}

/** Null when none is due. Skips links below any of `others`. Two callers never get the same pull request. */
export const claimDuePullRequest = (
  db: Database,
  connectionId: string,
  { url, others }: { url: string; others: readonly string[] },
  now: number,
): Promise<ClaimedPullRequest | null> =>
  claimPullRequest(
    db,
    connectionId,
    now,
    sql.join(
      [
        sql`${hasReadPullRequest} and ${linkStartsWith(agentJobs.prLink, url)}`,
        ...others.map((other) => sql`not ${linkStartsWith(agentJobs.prLink, other)}`),
      ],
      sql` and `,
    ),
    sql`${pullRequestReads.dueAt} <= ${new Date(now)}`,
  )

/** Leases it in any state. Null when there is no pull request, or just after another read. */
export const claimPullRequestNow = (db: Database, key: JobKey, now: number): Promise<ClaimedPullRequest | null> =>
  claimPullRequest(
    db,
    key.connectionId,
    now,
    sql`${isJob(key)} and ${agentJobs.prLink} is not null and ${agentJobs.status} = 'completed'
      and ${agentJobs.goneAt} is null and ${agentJobs.removedAt} is null
      and ${agentJobs.pullRequestKnownFrom} is distinct from 'service'`,
    sql`(${pullRequestReads.readAt} is null or ${pullRequestReads.readAt} <= ${new Date(now - clickMs)})`,
  )

/** Writes nothing when the service has a better state or the job has another link by now. */
export const writePullRequest = (
  db: Database,
  claimed: ClaimedPullRequest,
  read: ReadPullRequest,
  { now, dueAt }: { now: number; dueAt: Date },
) =>
  db.transaction(async (tx) => {
    const at = new Date(now)
    const current = and(isJob(claimed), eq(agentJobs.prLink, claimed.link), isNull(agentJobs.removedAt))
    // Lock the job first, as a purge does.
    const [before] = await tx.select().from(agentJobs).where(current).for('update')
    await tx.update(pullRequestReads).set({ readAt: at, dueAt, failures: 0, problem: null }).where(matchesRead(claimed))
    if (before === undefined || before.pullRequestKnownFrom === 'service') return
    const title = read.title.slice(0, maxTitleLength).toWellFormed().replaceAll('\u0000', '')
    const seen = {
      title: before.title ?? title,
      pullRequestNumber: read.number,
      pullRequestTitle: title,
      pullRequestState: read.state,
      pullRequestChecks: read.checks,
      pullRequestMergeable: read.mergeable,
      pullRequestKnownFrom: 'code_host' as const,
    }
    await tx
      .update(agentJobs)
      .set({ ...seen, pullRequestCheckedAt: at })
      .where(current)
    const names = Object.keys(seen) as (keyof typeof seen)[]
    if (names.every((name) => before[name] === seen[name])) return
    await countJobChange(tx, claimed)
    await recordJobEvents(tx, claimed, listPullRequestEvents(before, { ...before, ...seen }, at))
  })

/** Keeps the known state of the pull request. */
export const saveReadProblem = async (
  db: Database,
  claimed: ClaimedPullRequest,
  problem: string,
  { now, dueAt }: { now: number; dueAt: Date },
) => {
  const set = { readAt: new Date(now), dueAt, problem, failures: sql`${pullRequestReads.failures} + 1` }
  await db.update(pullRequestReads).set(set).where(matchesRead(claimed))
}

export const postponeRead = async (db: Database, claimed: ClaimedPullRequest, dueAt: Date) => {
  await db.update(pullRequestReads).set({ dueAt }).where(matchesRead(claimed))
}

/** Plans at most one read a minute for each job. */
export const planViewedReads = async (
  db: Database,
  connectionId: string,
  jobs: readonly AgentJobKey[],
  now: number,
) => {
  const [projectIds, ids] = [jobs.map(({ projectId }) => projectId), jobs.map(({ id }) => id)]
  const soonest = sql`greatest(${new Date(now)}, ${pullRequestReads.readAt} + ${viewedMs} * interval '1 millisecond')`
  await db
    .update(pullRequestReads)
    .set({ dueAt: soonest })
    .where(
      sql`${eq(pullRequestReads.connectionId, connectionId)} and ${pullRequestReads.failures} = 0
        and ${pullRequestReads.dueAt} > ${soonest} and (${pullRequestReads.projectId}, ${pullRequestReads.id}) in
        (select * from unnest(${sql.param(projectIds)}::text[], ${sql.param(ids)}::text[]))`,
    )
}

/** Marks every open pull request below `url` as not checked, because nothing reads it any more. A person may then set its state. */
export const forgetPullRequests = async (tx: Tx, connectionId: string, url: string) => {
  const known = and(
    eq(agentJobs.connectionId, connectionId),
    eq(agentJobs.pullRequestKnownFrom, 'code_host'),
    eq(agentJobs.group, 'pull_request_ready'),
    linkStartsWith(agentJobs.prLink, url),
  )
  const forgotten = await tx
    .update(agentJobs)
    .set({ ...unknown, pullRequestCheckedAt: null })
    .where(known)
    .returning({ projectId: agentJobs.projectId, id: agentJobs.id })
  if (forgotten.length === 0) return
  const keys = sql.join(
    forgotten.map(({ projectId, id }) => sql`(${projectId}, ${id})`),
    sql`, `,
  )
  const changed = sql`${agentJobs.connectionId} = ${connectionId} and (${agentJobs.projectId}, ${agentJobs.id}) in (${keys})`
  await countChange(tx, { name: 'agent_jobs', table: agentJobs }, changed)
}

/** Call this when the token has changed. */
export const makeReadsDue = async (tx: Tx, connectionId: string, url: string) => {
  await tx
    .update(pullRequestReads)
    .set({ dueAt: sql`clock_timestamp()` })
    .where(and(eq(pullRequestReads.connectionId, connectionId), linkStartsWith(pullRequestReads.link, url)))
}
