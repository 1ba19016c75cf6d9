import type { Repositories } from '@docket/code-hosts/embedded/repositories'
import { checkMergeability } from '@docket/code-hosts/embedded/pull-requests/actions'
import { listPullRequests } from '@docket/code-hosts/embedded/pull-requests/pull-requests'
import { toLine } from '@docket/sources/text'
import type { Projects } from '@docket/code-hosts/code-host'
import { listCommits } from '@docket/code-hosts/embedded/pull-requests/commits'
import { type Diff, readDiff } from '@docket/code-hosts/embedded/pull-requests/diff'
import { type AgentJobRecord, findLastPush, toTitle, type Turn } from '#agent-jobs/agent-job.ts'

export type PullRequestFacts = {
  number: number
  title: string | null
  state: 'open' | 'merged' | 'closed' | null
  checks: null
  mergeable: boolean | null
}

/** Fields in addition to the Admin API (§2.1), null when not known. `pullRequest` and `live` are read on each request. */
export const toDetails = (
  job: AgentJobRecord,
  pullRequest: PullRequestFacts | null,
  live: { queuePosition: number | null; lastLine: string | null },
) => {
  const ended = job.turns.findLast(({ outcome }) => outcome !== null)
  const current = job.turns.find(({ outcome }) => outcome === null) ?? job.turns.at(-1)!
  const isOver = current.outcome !== null
  return {
    title: toTitle(job, 200),
    report: ended?.outcome === 'completed' ? ended.report.join('\n') : null,
    error: isOver ? toError(job.turns.at(-1)!) : null,
    startedAt: current.startedAt,
    finishedAt: isOver ? job.turns.at(-1)!.finishedAt : null,
    queuePosition: isOver || current.startedAt !== null ? null : live.queuePosition,
    lastLine: isOver ? null : live.lastLine,
    diffStat: findLastPush(job)?.diffStat ?? null,
    usage: sumUsage(job.turns),
    pullRequest,
  }
}

const toError = ({ outcome, report }: Turn): string | null => {
  if (outcome === 'cancelled') return 'cancelled'
  return outcome === 'failed' ? report.join('\n') : null
}

const sumUsage = (turns: readonly Turn[]) => {
  const known = turns.flatMap(({ usage }) => usage ?? [])
  if (known.length === 0) return null
  const sum = (name: keyof (typeof known)[number]) => {
    const values = known.flatMap((usage) => usage[name] ?? [])
    return values.length === 0 ? null : values.reduce((all, value) => all + value, 0)
  }
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), costUsd: sum('costUsd') }
}

/** On a remote code host, the state of an open pull request is unknown, because it may be merged by now. Null without one. */
export const readPullRequest = async (
  { projectId, pullRequest }: Pick<AgentJobRecord, 'projectId' | 'pullRequest'>,
  repositories: Pick<Repositories, 'projectIds' | 'open'>,
): Promise<PullRequestFacts | null> => {
  if (pullRequest === null) return null
  const { number, state } = pullRequest
  const seen = { number, title: null, state, checks: null, mergeable: null }
  if (!repositories.projectIds.includes(projectId)) return { ...seen, state: state === 'open' ? null : state }
  try {
    const repository = (await repositories.open(projectId))!
    const pull = (await listPullRequests(repository)).find((candidate) => candidate.number === number)
    if (!pull) return seen
    const merge = pull.state === 'open' ? await checkMergeability(repository, pull) : null
    const mergeable = merge && (merge.kind === 'fast-forward' || merge.kind === 'merge')
    return { ...seen, title: toLine(pull.title), state: pull.state, mergeable }
  } catch {
    // The job itself can be read without its repository.
    return seen
  }
}

type Changes = {
  commits: { hash: string; author: string; at: string; subject: string }[]
  total: number
  diff: Diff
}

/** Works even after the merge and the removal of the branch. Null when nothing was pushed or the repository was removed. */
export const readChanges = async (projects: Projects, job: AgentJobRecord): Promise<Changes | null> => {
  const push = findLastPush(job)
  const project = push?.commit ? await projects.open(job.projectId) : null
  if (!push?.commit || !project) return null
  const { git } = project
  const exists = await git(['cat-file', '-e', `${push.commit}^{commit}`]).then(
    () => true,
    () => false,
  )
  if (!exists) return null
  // Old records have no base.
  const base = push.base ?? `${push.commit}^`
  const [{ commits, total }, diff] = await Promise.all([
    listCommits(git, `${base}..${push.commit}`),
    readDiff(git, base, push.commit),
  ])
  return { commits: commits.map(({ hash, author, at, subject }) => ({ hash, author, at, subject })), total, diff }
}
