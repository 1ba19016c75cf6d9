import { and, desc, eq, sql } from 'drizzle-orm'
import type { AgentJobRow } from '#records/agent-jobs/agent-jobs.state.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { pullRequestReads } from './pull-request-reads.table.ts'

/** Reads why the pull request of a job could not be read, or why its code host gives no answers. Null when it could. */
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
