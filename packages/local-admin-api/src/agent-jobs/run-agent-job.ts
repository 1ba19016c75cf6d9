import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { branchOf, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { stepsOf } from '#agent-jobs/recipes.ts'
import { cut } from '#agent-jobs/step.ts'
import { openPullRequest } from '#code-host/pull-requests.ts'
import { mainBranch, type Repository } from '#code-host/repositories.ts'

/** What came of a job: the number of its pull request, or null when no file changed, and a line a step. */
export type AgentJobOutcome = { pullNumber: number | null; report: string[] }

/**
 * Does the work of one job: checks the main branch out, runs the steps of the prompt, and when files changed commits them on
 * the job's own branch and opens a pull request. Rejects with a sentence for the reader, or when `signal` aborts a step.
 */
export const runAgentJob = async (
  job: AgentJobRecord,
  repository: Repository,
  now: () => Date,
  signal: AbortSignal,
): Promise<AgentJobOutcome> => {
  const steps = stepsOf(job.prompt)
  const { git, workDir } = repository
  // One job at a time works here, and a crash may have left something behind.
  await rm(workDir, { recursive: true, force: true })
  try {
    const base = (await git(['rev-parse', mainBranch])).trim()
    const workTree = join(workDir, 'tree')
    const options = { workTree, index: join(workDir, 'index') }
    await mkdir(workTree, { recursive: true, mode: 0o700 })
    await git(['read-tree', base], options)
    await git(['checkout-index', '--all', '--index'], options)
    const report: string[] = []
    for (const step of steps) {
      signal.throwIfAborted()
      report.push(await step(workTree, signal))
    }
    await git(['add', '--all', '--force', '.'], options)
    const tree = (await git(['write-tree'], options)).trim()
    if (tree === (await git(['rev-parse', `${base}^{tree}`])).trim()) return { pullNumber: null, report }
    const title = titleOf(job.prompt)
    const body = report.join('\n')
    const message = { input: `${title}\n\n${body}\n` }
    const commit = (await git(['commit-tree', tree, '-p', base, '-F', '-'], message)).trim()
    const branch = branchOf(job)
    await git(['update-ref', `refs/heads/${branch}`, commit])
    const pull = await openPullRequest(repository, { branch, title, body, now: now() })
    return { pullNumber: pull.number, report }
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** First line of the prompt that does something, short enough for a commit subject. */
const titleOf = (prompt: string) => {
  const lines = prompt.split(/\r\n?|\n/).map((line) => line.trim())
  return cut(lines.find((line) => line !== '' && !/^wait\s/i.test(line)) ?? 'Update the documentation', 72)
}
