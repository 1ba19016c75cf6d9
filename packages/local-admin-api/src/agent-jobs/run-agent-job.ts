import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { branchOf, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { stepsOf } from '#agent-jobs/recipes.ts'
import { openPullRequest } from '#code-host/pull-requests.ts'
import { mainBranch, type Repository } from '#code-host/repositories.ts'

/** What came of a job: the number of its pull request, or null when no file changed, and a line a step. */
export type AgentJobOutcome = { pullNumber: number | null; report: string[] }

/**
 * Does the work of one job: checks the main branch out, runs the steps of the prompt, and when files changed commits them on
 * the job's own branch and opens a pull request. Rejects with a sentence for the reader.
 */
export const runAgentJob = async (
  job: AgentJobRecord,
  repository: Repository,
  now: () => Date,
): Promise<AgentJobOutcome> => {
  const steps = stepsOf(job.prompt)
  const { git } = repository
  const place = await mkdtemp(join(tmpdir(), 'docket-agent-'))
  try {
    const base = (await git(['rev-parse', mainBranch])).trim()
    const workTree = join(place, 'tree')
    const options = { workTree, index: join(place, 'index') }
    await mkdir(workTree)
    await git(['read-tree', base], options)
    await git(['checkout-index', '--all'], options)
    const report: string[] = []
    for (const step of steps) report.push(await step(workTree))
    await git(['add', '--all', '--force', '.'], options)
    const tree = (await git(['write-tree'], options)).trim()
    if (tree === (await git(['rev-parse', `${base}^{tree}`])).trim()) return { pullNumber: null, report }
    const title = titleOf(job.prompt)
    const commit = (await git(['commit-tree', tree, '-p', base, '-m', title, '-m', report.join('\n')])).trim()
    await git(['update-ref', `refs/heads/${branchOf(job)}`, commit])
    const pull = await openPullRequest(repository, {
      branch: branchOf(job),
      title,
      body: report.join('\n'),
      now: now(),
    })
    return { pullNumber: pull.number, report }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** First line of the prompt that does something, short enough for a commit subject. */
const titleOf = (prompt: string) => {
  const lines = prompt.split(/\r?\n/).map((line) => line.trim())
  const line = lines.find((candidate) => candidate !== '' && !/^wait\s/i.test(candidate)) ?? 'Update the documentation'
  return line.length > 72 ? `${line.slice(0, 71)}…` : line
}
