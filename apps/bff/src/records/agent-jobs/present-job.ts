import type { AgentJob, AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { UpstreamLink, UsualDuration } from '@docket/api-types/list'
import { upstreamLink } from '#service/admin-api/safe-link.ts'
import { isUnsettled } from '#ground/db/attention.ts'
import { toNote } from '#ground/db/notes.ts'
import { type JobAbilities, refuseActions } from '#records/agent-jobs/actions/job-actions.ts'
import { type AgentJobRow, deriveMeaning, findFirstLine, formatTitle } from './agent-jobs.state.ts'

const ongoing: readonly AgentJobMeaning[] = ['waiting', 'working', 'finishing', 'unrecognised']

/** The line of a job that says most about its state. */
const summarise = (row: AgentJobRow, meaning: AgentJobMeaning): string | null => {
  if (ongoing.includes(meaning)) return findFirstLine(row.lastLine)
  if (meaning === 'cancelled') return null
  return findFirstLine(meaning === 'failed' ? row.error : (row.report ?? row.error))
}

const numberInLabel = /[#!](\d{1,9})$/

const toPullRequest = (row: AgentJobRow, label: string | null, problem: string | null): AgentJob['pullRequest'] => {
  if (row.prLink === null) return null
  const number = numberInLabel.exec(label ?? '')?.[1]
  return {
    number: row.pullRequestNumber ?? (number === undefined ? null : Number(number)),
    title: row.pullRequestTitle,
    state: row.pullRequestState,
    knownFrom: row.pullRequestKnownFrom,
    checkedAt: row.pullRequestCheckedAt?.toISOString() ?? null,
    checks: row.pullRequestChecks,
    mergeable: row.pullRequestMergeable,
    problem,
  }
}

/** Link to a page of Docket that shows a project's own repository. Null for any other address. */
export type OwnLink = (text: string, projectId: string) => UpstreamLink | null

/**
 * Converts a row for the contract. `embedded` allows links to loopback http and to pages of the embedded code host. `usual` is the usual
 * duration of such jobs. `problem` says why the pull request could not be read.
 */
export const toAgentJob = (
  row: AgentJobRow,
  {
    now,
    usual,
    ownLink,
    problem = null,
    ...abilities
  }: {
    now: number
    usual: UsualDuration | null
    ownLink: OwnLink
    problem?: string | null
    lacksAgent?: boolean
  } & JobAbilities,
): AgentJob => {
  const { embedded } = abilities
  const link = (text: string | null) => {
    if (text === null) return null
    const own = embedded ? ownLink(text, row.projectId) : null
    return own ?? upstreamLink(text, { allowLoopbackHttp: embedded })
  }
  const prLink = link(row.prLink)
  const meaning = deriveMeaning(row, now)
  return {
    connectionId: row.connectionId,
    projectId: row.projectId,
    id: row.id,
    status: row.status,
    meaning,
    source: { repository: link(row.repository), ref: row.ref },
    model: row.model,
    prLink,
    title: formatTitle(row),
    askedBy: row.askedBy,
    queuePosition: row.isWaiting ? row.queuePosition : null,
    startedAt: row.startedAt?.toISOString() ?? null,
    summary: summarise(row, meaning),
    diffStat: row.diffStat,
    pullRequest: toPullRequest(row, prLink?.label ?? null, problem),
    usage: row.usage,
    actions: refuseActions(row, meaning, abilities),
    error: row.error,
    report: row.report,
    hasLog: embedded && row.isDetailed,
    createdAt: row.createdAt?.toISOString() ?? null,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    followedAt: row.followedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    goneAt: row.goneAt?.toISOString() ?? null,
    needsAttention: isUnsettled(row),
    note: toNote(row),
    usual,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
    checkFailure: row.checkFailure,
  }
}
