import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, PullRequestLink } from '@docket/code-hosts/code-host'
import type { Git } from '@docket/sources/git/git'
import { byteForByte } from '#files/git-attributes.ts'
import type { CheckResult, EarlierTurn, Runner, Usage } from '#runners/runner.ts'
import { commitChange } from './commit-change.ts'
import { findStart } from './find-start.ts'
import { refuseBeyondLimit } from './open-pull-requests.ts'
import { toBody, toSummary, toTitle } from './pull-request-text.ts'
import type { RepositoryRules, Requester } from './repository-rules.ts'
import { snapshot } from './snapshot.ts'
import { removeFolder, type WorkFolders, workTreeName } from './work-folders.ts'

/** Result of a turn: report lines and the pull request, or null when no file changed and the branch has no new commits. */
export type TurnOutcome = {
  pullRequest: PullRequestLink | null
  report: string[]
  usage: Usage | null
  checks: CheckResult | null
}

/** Order for a turn. `beforePush` receives the commit that is about to be pushed, and rejects to keep it from being pushed. */
export type TurnOrder = {
  jobId: string
  prompt: string
  earlier: readonly EarlierTurn[]
  onOutput(text: string): void
  /** Subject of the commit and title of a new pull request come from this, the first message of the job. */
  firstPrompt: string
  branch: string
  /** The person who asked for this turn. Null: unknown. */
  requester: Requester | null
  /** Commits that earlier turns pushed, or were about to push, oldest first. */
  made: readonly string[]
  beforePush(commit: string, result: Omit<TurnOutcome, 'pullRequest'>): Promise<void>
}

const nothingToChange = 'Nothing to change.'

/**
 * Works on one turn: checks out the job's branch (or the base), lets `runner` change files, then commits, pushes, and opens or finds the
 * pull request. Rejects with a sentence for the reader, or when `signal` aborts.
 */
export const runTurn = async (
  order: TurnOrder,
  deps: { project: Project; runner: Runner; workFolders: WorkFolders; rules: RepositoryRules },
  signal: AbortSignal,
): Promise<TurnOutcome> => {
  const { project, runner, workFolders, rules } = deps
  const { git, gitDir, folder } = project
  const scratch = await workFolders.create()
  try {
    const { from, parents, isAhead, notices } = await findStart(project, order, signal)
    await refuseBeyondLimit(project, order.branch, rules.openPullRequests, signal)
    const [workTree, index] = [join(scratch, workTreeName), join(scratch, 'index')]
    await checkOut({ git, gitDir, commit: from, workTree, index, signal })
    const repository = { gitDir, git, commit: from, url: project.repositoryUrl }
    const { jobId, prompt, earlier, onOutput } = order
    const { projectId } = project
    signal.throwIfAborted()
    const done = await runner.run(
      { prompt, earlier, projectId, jobId, checkout: workTree, scratch, repository, folder, onOutput },
      signal,
    )
    signal.throwIfAborted()
    const { tree, notes } = await snapshot({ git, base: from, workTree, index: join(scratch, 'made.index') })
    const report = [...notices, ...done.report, ...notes]
    const { usage, checks } = done
    const open = async (): Promise<TurnOutcome> => {
      const pullRequest = await openJobPullRequest({ ...order, report, checks }, { project, rules }, signal)
      return { pullRequest, report: [...report, ...(pullRequest?.notes ?? [])], usage, checks }
    }
    if (tree === (await git(['rev-parse', `${from}^{tree}`])).trim()) {
      // An earlier turn may have pushed commits that have no pull request yet.
      const ended = isAhead ? await open() : { pullRequest: null, report, usage, checks }
      return { ...ended, report: [nothingToChange, ...ended.report] }
    }
    const title = toTitle(prompt, { pattern: rules.title, projectId, jobId })
    const change = { tree, parents, title, summary: toSummary(report), requester: order.requester }
    const commit = await commitChange(git, change, rules)
    await order.beforePush(commit, { report, usage, checks })
    signal.throwIfAborted()
    await project.push(order.branch, commit, signal)
    return await open()
  } finally {
    await removeFolder(scratch)
  }
}

export const openJobPullRequest = (
  order: Pick<TurnOrder, 'jobId' | 'prompt' | 'firstPrompt' | 'branch' | 'requester'> & {
    report: readonly string[]
    checks: CheckResult | null
  },
  { project, rules }: { project: Project; rules: RepositoryRules },
  signal?: AbortSignal,
): Promise<PullRequestLink | null> => {
  const { branch, firstPrompt, jobId } = order
  const { projectId } = project
  const { draft, labels, reviewers } = rules
  const title = toTitle(firstPrompt, { pattern: rules.title, projectId, jobId })
  const body = toBody({ ...order, title, projectId }, rules)
  return project.openOrFindPullRequest({ branch, title, body, draft, labels, reviewers }, signal)
}

/** Files of `commit` under `workTree`, which is made, with an index of their own. No hook, filter or conversion is run. */
export const checkOut = async (order: {
  git: Git
  gitDir: string
  commit: string
  workTree: string
  index: string
  signal?: AbortSignal
}): Promise<void> => {
  const { git, gitDir, commit, workTree, index, signal } = order
  await mkdir(join(gitDir, 'info'), { recursive: true })
  // This file overrides every .gitattributes.
  await writeFile(join(gitDir, 'info', 'attributes'), byteForByte)
  await mkdir(workTree, { recursive: true, mode: 0o700 })
  await git(['read-tree', commit], { workTree, index })
  await git(['checkout-index', '--all', '--index'], { workTree, index, ...(signal && { signal }) })
}
