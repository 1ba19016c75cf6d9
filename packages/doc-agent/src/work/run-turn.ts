import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, PullRequestLink } from '@docket/code-hosts/code-host'
import type { Git } from '@docket/sources/git/git'
import { cut } from '@docket/sources/text'
import type { CheckResult, EarlierTurn, Runner, Usage } from '#runners/runner.ts'
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
  /** The turns before this one, oldest first. */
  earlier: readonly EarlierTurn[]
  /** Takes the runner's output as it is produced. */
  onOutput(text: string): void
  /** Subject of the commit and title of a new pull request come from this, the first message of the job. */
  firstPrompt: string
  branch: string
  beforePush(commit: string, result: Omit<TurnOutcome, 'pullRequest'>): Promise<void>
}

/**
 * Works on one turn: checks out the job's branch (or the base), lets `runner` change files, then commits, pushes, and opens or finds the
 * pull request. Rejects with a sentence for the reader, or when `signal` aborts.
 */
export const runTurn = async (
  order: TurnOrder,
  { project, runner, workFolders }: { project: Project; runner: Runner; workFolders: WorkFolders },
  signal: AbortSignal,
): Promise<TurnOutcome> => {
  const { git, gitDir, folder } = project
  const scratch = await workFolders.create()
  try {
    const { from, parents, isAhead } = await findStart(project, order.branch, signal)
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
    const report = [...done.report, ...notes]
    const { usage, checks } = done
    if (tree === (await git(['rev-parse', `${from}^{tree}`])).trim())
      // An earlier turn may have pushed commits that have no pull request yet.
      return {
        pullRequest: isAhead ? await openJobPullRequest(order, report, project, signal) : null,
        report: ['Nothing to change.', ...report],
        usage,
        checks,
      }
    const title = toTitle(order.prompt)
    const message = { input: `${title}\n\n${report.join('\n')}\n` }
    const commit = (
      await git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'], message)
    ).trim()
    await order.beforePush(commit, { report, usage, checks })
    signal.throwIfAborted()
    await project.push(order.branch, commit, signal)
    return { pullRequest: await openJobPullRequest(order, report, project, signal), report, usage, checks }
  } finally {
    await removeFolder(scratch)
  }
}

/** The pull request of a branch that is pushed. */
export const openJobPullRequest = (
  order: { branch: string; firstPrompt: string },
  report: readonly string[],
  project: Project,
  signal?: AbortSignal,
): Promise<PullRequestLink | null> =>
  project.openOrFindPullRequest(
    { branch: order.branch, title: toTitle(order.firstPrompt), body: report.join('\n') },
    signal,
  )

/**
 * Start of a turn: the head of the branch, or the base once the pull request is merged. The branch only ever grows, so a head that the
 * base lacks becomes a second parent.
 */
const findStart = async (project: Project, branch: string, signal: AbortSignal) => {
  const base = await project.base(signal)
  const head = await project.readHead(branch, signal)
  if (head === null) return { from: base.commit, parents: [base.commit], isAhead: false }
  const shared = (await project.git(['merge-base', head, base.commit], { goodExit: 1 })).trim()
  if (shared === head) return { from: base.commit, parents: [base.commit], isAhead: false }
  const pull = await project.findPullRequest(branch, signal)
  return pull?.state === 'merged'
    ? { from: base.commit, parents: [base.commit, head], isAhead: false }
    : { from: head, parents: [head], isAhead: true }
}

/** First prompt line with an instruction, short enough for a commit subject. */
const toTitle = (prompt: string) => {
  const lines = prompt.split(/\r\n?|\n/).map((line) => line.trim())
  return cut(lines.find((line) => line !== '' && !/^wait\s/i.test(line)) ?? 'Update the documentation', 72)
}

/** Checks files out byte for byte: no conversion, and no filter that a repository could name. */
const attributes = '* -text -ident -filter -working-tree-encoding\n'

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
  await writeFile(join(gitDir, 'info', 'attributes'), attributes)
  await mkdir(workTree, { recursive: true, mode: 0o700 })
  await git(['read-tree', commit], { workTree, index })
  await git(['checkout-index', '--all', '--index'], { workTree, index, ...(signal && { signal }) })
}
