import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, PullRequestLink } from '@docket/code-hosts/code-host'
import { type Git, readRef } from '@docket/sources/git/git'
import { count } from '@docket/sources/text'
import { byteForByte } from '#files/walk-files.ts'
import type { CheckResult, EarlierTurn, Runner, Usage } from '#runners/runner.ts'
import type { MaintenanceOrder } from '#recipes/order.ts'
import type { Outcome } from '#recipes/recipe.ts'
import { runRecipe } from '#runners/built-in.ts'
import { commitChange } from './commit-change.ts'
import { refuseBeyondLimit } from './open-pull-requests.ts'
import { toBody, toSummary, toTitle } from './pull-request-text.ts'
import type { RepositoryRules, Requester } from './repository-rules.ts'
import { writeSnapshotTree } from './snapshot.ts'
import { removeFolder, type WorkFolders, workTreeName } from '@docket/sandbox/work-folders'

/** `pullRequest` is null when no file changed and the branch has no new commits. */
export type TurnOutcome = {
  pullRequest: PullRequestLink | null
  report: string[]
  usage: Usage | null
  checks: CheckResult | null
}

/** `beforePush` receives the commit that is about to be pushed, and rejects to prevent the push. */
export type TurnOrder = {
  jobId: string
  prompt: string
  earlier: readonly EarlierTurn[]
  onOutput(text: string): void
  /** Subject of the commit and title of a new pull request come from this, the first message of the job. */
  firstPrompt: string
  branch: string
  /** Null when unknown. */
  requester: Requester | null
  /** Commits that earlier turns pushed, or were about to push, oldest first. */
  made: readonly string[]
  beforePush(commit: string, result: Omit<TurnOutcome, 'pullRequest'>): Promise<void>
}

const nothingToChange = 'Nothing to change.'

/** Rejects with a readable error, or when `signal` aborts. */
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
    const { tree, notes } = await writeSnapshotTree({ git, base: from, workTree, index: join(scratch, 'made.index') })
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

/** Runs an order on a temporary copy of the project's base. Rejects with a readable error, or when `signal` aborts. */
export const previewOrder = async (
  order: MaintenanceOrder,
  { project, workFolders }: { project: Project; workFolders: WorkFolders },
  signal: AbortSignal,
): Promise<Outcome> => {
  const { git, gitDir, folder } = project
  const scratch = await workFolders.create()
  try {
    const { commit } = await project.base(signal)
    const checkout = join(scratch, workTreeName)
    await checkOut({ git, gitDir, commit, workTree: checkout, index: join(scratch, 'index') })
    return await runRecipe({ order, checkout, folder, gitDir, commit }, signal)
  } finally {
    await removeFolder(scratch)
  }
}

type Start = { from: string; parents: string[]; isAhead: boolean; notices: string[] }

/** Adds a head that the base lacks as a second parent, so the branch only grows. `made` has the commits of earlier turns, oldest first. */
const findStart = async (
  project: Project,
  { branch, made }: { branch: string; made: readonly string[] },
  signal: AbortSignal,
): Promise<Start> => {
  const { git } = project
  const base = await project.base(signal)
  const head = await project.readHead(branch, signal)
  const fresh = { from: base.commit, parents: [base.commit], isAhead: false, notices: [] }
  if (head === null) return fresh
  const shared = (await git(['merge-base', head, base.commit], { goodExit: 1 })).trim()
  if (shared === head) return fresh
  const notices = await findNotices(project, { base, head, shared, made })
  const pull = await project.findPullRequest(branch, signal)
  return pull?.state === 'merged'
    ? { from: base.commit, parents: [base.commit, head], isAhead: false, notices }
    : { from: head, parents: [head], isAhead: true, notices }
}

const findNotices = async (
  { git }: Project,
  {
    base,
    head,
    shared,
    made,
  }: { base: { branch: string; commit: string }; head: string; shared: string; made: readonly string[] },
): Promise<string[]> => {
  const list = async (...range: string[]) =>
    (await git(['rev-list', ...range, '--not', base.commit])).split('\n').filter((hash) => hash !== '')
  const ahead = new Set(await list('--topo-order', head))
  const [first, last] = [made.find((hash) => ahead.has(hash)), made.findLast((hash) => ahead.has(hash))]
  const oldBase = first === undefined ? null : await readRef(git, `${first}^1`)
  const isRewritten = oldBase !== null && ahead.has(oldBase)
  const notices: string[] = []
  if (shared === '')
    notices.push(
      `The branch and ${base.branch} have no commit in common any more, so the code host may refuse to merge it. Create a new job to begin from ${base.branch} as it is now.`,
    )
  else if (isRewritten)
    notices.push(
      `${base.branch} was rewritten since this job began: ${oldBase.slice(0, 7)} is no longer part of it. The pull request may show commits that were removed there.`,
    )
  // Commits of an abandoned base are not news of the branch.
  const before = last ?? oldBase
  const foreign = await list(head, ...(before === null ? [] : [`^${before}`]))
  const number = foreign.filter((hash) => !made.includes(hash)).length
  if (made.length > 0 && last === undefined)
    notices.push('Somebody rewrote the branch of this job. It was kept as it is now.')
  if (number > 0)
    notices.push(
      `${count(number, 'commit')} by somebody else ${number === 1 ? 'is' : 'are'} on the branch; ${number === 1 ? 'it was' : 'they were'} kept.`,
    )
  return notices
}
