import type { PullRequestState } from '@docket/api-types/agent-jobs'
import { and, isNull } from 'drizzle-orm'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { readJob } from './read-jobs.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import {
  countJobChange,
  isJob,
  locateJob,
  jobNotFollowedError,
  recordJobEvents,
  type RequestedJob,
} from './agent-jobs.rows.ts'
import type { AgentJobRow } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

const columns = [
  'pullRequestNumber',
  'pullRequestTitle',
  'pullRequestState',
  'pullRequestChecks',
  'pullRequestMergeable',
  'pullRequestKnownFrom',
  'pullRequestCheckedAt',
] as const
type Column = (typeof columns)[number]

export const omitPullRequest = <Row extends object>(row: Row): Omit<Row, Column> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name as Column))) as Omit<Row, Column>

/** Writes what an answer changed about the pull request, and no other pull-request column, because other code writes those too. */
export const storePullRequest = async (tx: Tx, before: AgentJobRow, after: AgentJobRow): Promise<void> => {
  const changed = columns.filter((name) => String(before[name]) !== String(after[name]))
  if (changed.length === 0) return
  await tx
    .update(agentJobs)
    .set(Object.fromEntries(changed.map((name) => [name, after[name]])))
    .where(isJob(after))
}

const knownElsewhere = {
  service: 'The service itself says what became of this pull request.',
  code_host: 'The code host says what became of this pull request.',
}

/** A null state clears the mark. Idempotent. Throws `conflict` when the state has another source. */
export const markPullRequest = async (
  ctx: JobsCtx,
  job: RequestedJob,
  { state, by }: { state: PullRequestState | null; by: Actor },
) => {
  const key = await locateJob(ctx.db, job)
  const at = new Date(ctx.now())
  await ctx.db.transaction(async (tx) => {
    const which = and(isJob(key), isNull(agentJobs.removedAt))
    const [row] = await tx.select().from(agentJobs).where(which).for('update')
    if (row === undefined) throw jobNotFollowedError()
    const { prLink, pullRequestKnownFrom: knownFrom } = row
    if (prLink === null) throw new AppError('conflict', 'This job has no pull request.')
    if (knownFrom === 'service' || knownFrom === 'code_host') throw new AppError('conflict', knownElsewhere[knownFrom])
    if (row.pullRequestState === state) return
    const known =
      state === null
        ? { pullRequestKnownFrom: null, pullRequestCheckedAt: null }
        : { pullRequestKnownFrom: 'person' as const, pullRequestCheckedAt: at }
    await tx
      .update(agentJobs)
      .set({ pullRequestState: state, ...known })
      .where(isJob(key))
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [{ kind: 'pull_request_marked', at, by, to: state }])
  })
  return readJob(ctx, key)
}
